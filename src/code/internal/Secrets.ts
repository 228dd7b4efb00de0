/**
 * Names of files and folders that hold credentials, whatever their content.
 *
 * The list is made of the signatures of file names that shhgit (`config.yaml`) and Talisman
 * (`detector/filename/filename_detector.go`) report, GitHub's `Terraform.gitignore`, and the places in which tools keep
 * their logins by their own manuals. It leaves out names that those lists report but projects use for source:
 * `settings.py`, `database.yml`, `config.php`, SQL, logs, the settings of shells.
 */

export type Kind = "file" | "folder"

/**
 * Returns whether `name` in the folder `parent` (its name; empty at the root) is a secret. Case and the marks of backup
 * copies (`.env~`, `.npmrc.bak`) make no difference.
 */
export const isSecret = (parent: string, name: string, kind: Kind): boolean => {
  const plain = name.toLowerCase().replace(backup, "")
  if (harmless.test(plain)) return false
  if (secrets.test(plain)) return true
  const inParent = `${parent.toLowerCase()}/${plain}`
  return kind === "file" ? secretFiles.test(plain) || secretPaths.test(inParent) : secretFolders.test(inParent)
}

/** The pattern takes at most three suffixes: without a bound a long row of tildes would take quadratic time. */
const backup = /(?:~|\.(?:bak|backup|old|orig|save|swp|tmp)){1,3}$/

/** Makes one pattern out of many, because every name of a walk is tested. */
const anyOf = (...patterns: ReadonlyArray<RegExp>): RegExp => new RegExp(patterns.map(({ source }) => source).join("|"))

/** Files and folders in any place. */
const secrets = anyOf(
  // Environments: `.env`, `.env.local`, `.env-production`, `.envrc`, `.envs`, `prod.env`.
  /^\.env(?:rc|s)?(?:[^a-z]|$)/,
  /\.env$/,
  // Private keys and key stores.
  /\.(?:pem|key|keypair|p8|p12|pfx|pkcs12|ppk|jks|keystore|keyring|kdbx?|psafe3|agilekeychain|keychain(?:-db)?|kwallet|bek|fve|ovpn|tblk)$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519|xmss)/,
  /^ssh_host_\w{1,20}_key$/,
  /^(?:otr\.private_key|secring\.\w{1,20})$/,
  // Logins of tools.
  /^[._]netrc$/,
  /^\.(?:npmrc|yarnrc\.yml|pypirc|git-credentials|credentials(?:\.json)?|pgpass|my\.cnf|mylogin\.cnf|htpasswd|htdigest)$/,
  /^\.(?:dockercfg|dockerconfigjson|s3cfg|boto|terraformrc|vault-token|databrickscfg|authinfo(?:\.gpg)?|muttrc|msmtprc|fetchmailrc|mbsyncrc)$/,
  /^\.(?:ftpconfig|smbcredentials|tugboat|trc|claude\.json)$/,
  /^\.(?:aws|azure|gcloud|gnupg|kube|oci|password-store|ssh|subversion)$/,
  /^\.secrets?(?:\.(?:env|json|toml|ya?ml))?$/,
  /^\.?vault[-_]pass(?:word)?(?:\.txt)?$/,
  /^(?:application_default_)?credentials\.json$/,
  /^(?:gha-creds|client_secret)[^/]*\.json$/,
  /^service[-_]account(?:[-_]key)?\.json$/,
  // Histories of typed lines, passwords among them.
  /^\.[\w-]{0,40}history$/,
  /^fish_history$/,
)

/** Files in any place with a name that may be that of a folder with source in it. */
const secretFiles = anyOf(
  /^env[._](?:dev|development|local|prod|production|staging|test)$/,
  /\.env\.(?:json|toml|ya?ml)$/,
  /^credentials(?:\.(?:cfg|conf|csv|db|ini|properties|toml|txt|xml|ya?ml))?$/,
  /^secrets?\.(?:cfg|conf|csv|ini|json|properties|toml|txt|xml|ya?ml)$/,
  /firebase-adminsdk[^/]*\.json$/,
  /^(?:[^/]{0,200}[._-])?kubeconfig(?:\.(?:conf|json|ya?ml))?$/,
  /\.tf(?:state(?:\.[^/]*)?|vars(?:\.json)?)$/,
  /\.tfrc(?:\.json)?$/,
  /^(?:local\.settings|kaggle|oauth_creds|robomongo|sftp-config)\.json$/,
  /^(?:key|keystore|signing)\.properties$/,
  /^(?:wp-config|localsettings)\.php$/,
  /^secret_token\.rb$/,
  /^(?:dbeaver-data-sources|filezilla|recentservers|sitemanager|jenkins\.plugins\.publish_over_ssh\.bapsshpublisherplugin)\.xml$/,
  /^(?:rclone\.conf|proftpdpasswd)$/,
)

/** Files by the folder that holds them; at the root of a project Composer's `auth.json` is beside its settings. */
const secretPaths = anyOf(
  /^(?:|\.?composer|\.codex|opencode|containers|com\.vercel\.cli)\/auth\.json$/,
  /^\.docker\/config\.json$/,
  /^\.m2\/settings(?:-security)?\.xml$/,
  /^\.gradle\/gradle\.properties$/,
  /^(?:gh|glab-cli)\/(?:hosts|config)\.ya?ml$/,
  /^github-copilot\/(?:apps|hosts)\.json$/,
  /^(?:\.config|config)\/hub$/,
  /^doctl\/config\.ya?ml$/,
  /^\.?ngrok2?\/ngrok\.ya?ml$/,
  /^\.?huggingface\/(?:stored_)?tokens?$/,
  /^\.vscode\/sftp\.json$/,
  /^\.?purple\/accounts\.xml$/,
  /^\.?irssi\/config$/,
  /^\.?recon-ng\/keys\.db$/,
  /^etc\/g?shadow$/,
)

const secretFolders = /^\.config\/(?:gcloud|op)$/

const harmless = anyOf(/^\.env.*\.(?:dist|example|sample|template)$/, /^(?:example|sample)\.env$/, /\.pub$/)
