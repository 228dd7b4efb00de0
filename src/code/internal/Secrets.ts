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
 * Returns whether `name` in the folder `parent` (its name; empty at the root) is a secret. Case and the marks of copies
 * make no difference: `.env~`, `.npmrc.bak`, `#.netrc#`, `credentials (1).csv`, `.wp-config.php.swp`.
 */
export const isSecret = (parent: string, name: string, kind: Kind): boolean => {
  const lower = name.toLowerCase()
  const edited = swap.exec(lower)?.[1]
  return (
    isPlainSecret(parent, withoutMarks(lower), kind) || (edited !== undefined && isPlainSecret(parent, edited, kind))
  )
}

const isPlainSecret = (parent: string, plain: string, kind: Kind): boolean => {
  if (harmless.test(plain)) return false
  if (secrets.test(plain)) return true
  const inParent = `${parent.toLowerCase()}/${plain}`
  return kind === "file" ? secretFiles.test(plain) || secretPaths.test(inParent) : secretFolders.test(inParent)
}

/** Vim puts a dot in front of the name of the file that it edits. */
const swap = /^\.(.{1,255})\.sw[a-p]$/s

const withoutMarks = (lower: string): string => {
  const plain = lower.replace(backup, "").replace(autosave, "")
  // Most names have neither a space nor a bracket, and are not searched for the mark of a copy.
  return plain.includes(" ") || plain.includes("(") ? plain.replace(copy, "") : plain
}

/** The pattern takes at most three suffixes: without a bound a long row of tildes would take quadratic time. */
const backup = /(?:[~#]|\.(?:bak|backup|old|orig|rpmsave|save|sw[a-p]|tmp)\d{0,3}|\.\d{1,14}){1,3}$/

/** Emacs saves `#name#` by itself, and locks a file by a link `.#name`. */
const autosave = /^\.?#/

/** Matches what file managers and browsers put before the extension of a copy. */
const copy = /(?: ?\(\d{1,4}\)| (?:- )?copy(?: \d{1,4})?)(?=\.[^.]{1,20}$|$)/

/** Makes one pattern out of many, because every name of a walk is tested. */
const anyOf = (...patterns: ReadonlyArray<RegExp>): RegExp => new RegExp(patterns.map(({ source }) => source).join("|"))

/** Files and folders in any place. */
const secrets = anyOf(
  // Environments: `.env`, `.env.local`, `.env-production`, `.envrc`, `.envs`, `prod.env`.
  /^\.env(?:rc|s)?(?:[^a-z]|$)/,
  /\.env$/,
  // Cloudflare Workers have environments of this name.
  /^\.dev\.vars(?:\.|$)/,
  // Private keys and key stores.
  /\.(?:pem|key|keypair|p8|p12|pfx|pkcs12|pk8|ppk|pvk|snk|agekey|jks|jceks|bks|bcfks|keystore|keyring|kdbx?|psafe3|1pif|1pux|opvault|agilekeychain|keychain(?:-db)?|kwallet|bek|fve|ovpn|nmconnection|tblk)$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519|xmss)/,
  /^ssh_host_\w{1,20}_key$/,
  /^(?:otr\.private_key|secring\.\w{1,20})$/,
  // Logins of tools.
  /^[._]netrc$/,
  /^\.(?:npmrc|yarnrc\.yml|pypirc|git-?credentials|credentials(?:\.json)?|pgpass|my\.cnf|mylogin\.cnf|htpasswd|htdigest)$/,
  /^\.(?:dockercfg|dockerconfigjson|s3cfg|boto|terraformrc|vault-token|databrickscfg|authinfo(?:\.gpg)?|muttrc|msmtprc|fetchmailrc|mbsyncrc)$/,
  /^\.(?:ftpconfig|ftppass|smbcredentials|tugboat|trc|claude\.json|sentryclirc|curlrc|wgetrc|offlineimaprc|passwd-s3fs|pg_service\.conf|renviron|xauthority|iceauthority)$/,
  /^\.(?:aws|azure|bluemix|cf|gcloud|gnupg|kube|oci|password-store|snowsql|ssh|subversion|vnc)$/,
  /^\.secrets?(?:\.(?:env|json|toml|ya?ml))?$/,
  /^\.?(?:ansible[-_])?vault[-_]pass(?:word)?(?:\.txt)?$/,
  /^(?:application_default_)?credentials\.json$/,
  /^(?:gha-creds|client_secret)[^/]*\.json$/,
  /^service[-_]account(?:[-_]key)?\.json$/,
  // Histories of typed lines, passwords among them. Bash leaves `.bash_history-12345.tmp` behind if it is killed.
  /^\.[\w-]{0,40}history(?:-\d{1,10})?$/,
  /^(?:fish|mongosh_repl)_history$/,
  /^\.(?:viminfo|lesshst|histfile)$/,
  /^consolehost_history\.txt$/,
  /^\.(?:bash|zsh)_sessions$/,
)

/** Files in any place with a name that may be that of a folder with source in it. */
const secretFiles = anyOf(
  /^env[._](?:dev|development|local|prod|production|staging|test)$/,
  /\.env\.(?:json|toml|ya?ml)$/,
  /^credentials(?:\.(?:cfg|conf|csv|db|ini|properties|toml|txt|xml|ya?ml))?$/,
  /^secrets?\.(?:cfg|conf|csv|ini|json|properties|toml|txt|xml|ya?ml)$/,
  /firebase-adminsdk[^/]*\.json$/,
  /^(?:[^/]{0,200}[._-])?kubeconfig(?:[_-][\w-]{1,60})?(?:\.(?:conf|json|ya?ml))?$/,
  // Private keys that people name after what they open: `github_rsa`, `deploy_ed25519`.
  /[._-](?:rsa|dsa|ecdsa|ed25519)$/,
  /^(?:pap|chap|srp)-secrets$/,
  /^(?:ipsec\.)?secrets$/,
  /^(?:wpa_supplicant|pg_service|wg\d{1,3})\.conf$/,
  /^(?:claude_desktop_config|jupyter_(?:notebook|server)_config|token)\.json$/,
  /^(?:[^/]{0,200}[._-])?(?:passwords?|passwd|api[_-]?keys?|secret[_-]?keys?|access[_-]?tokens?)\.txt$/,
  /(?:private|secret)[^/]*\.asc$/,
  /^(?:htpasswd|passwd-s3fs|terraform\.rc|cwallet\.sso|hudson\.util\.secret|wallet\.dat)$/,
  // The consoles of clouds and password managers give their downloads such names.
  /^(?:rootkey|(?:[^/]{0,200}_)?accesskeys)\.csv$/,
  /^(?:bitwarden|lastpass|1password|dashlane|keepass|chrome)[ _-](?:export|passwords)[^/]*\.(?:csv|json)$/,
  /^(?:[^/]{0,200}[._-])?(?:gcp|gcloud|google)(?:[-_](?:service|sa|account)){0,3}[-_](?:key|credentials)\.json$/,
  /^[^/]{0,200}[-_]service[-_]account(?:[-_]key)?\.json$/,
  /^service[-_]account[-_][^/]{1,200}\.json$/,
  /^(?:[^/]{0,200}-)?keypair\.json$/,
  /^utc--\d{4}-\d\d-[^/]*--[\da-f]{6,64}$/,
  /\.tf(?:state(?:\.[^/]*)?|vars(?:\.json)?)$/,
  /\.tfrc(?:\.json)?$/,
  /^(?:local\.settings|kaggle|oauth_creds|robomongo|sftp-config)\.json$/,
  /^(?:key|keystore|signing)\.properties$/,
  /^(?:wp-config|localsettings)\.php$/,
  /^secret_token\.rb$/,
  /^(?:datasources\.local|webservers|dbeaver-data-sources|filezilla|recentservers|sitemanager|jenkins\.plugins\.publish_over_ssh\.bapsshpublisherplugin)\.xml$/,
  /^(?:rclone\.conf|proftpdpasswd)$/,
)

/** Files by the folder that holds them; at the root of a project Composer's `auth.json` is beside its settings. */
const secretPaths = anyOf(
  /^(?:|\.?composer|\.codex|opencode|containers|com\.vercel\.cli)\/auth\.json$/,
  /^\.docker\/config\.json$/,
  /^(?:age\/keys\.txt|solana\/id\.json|kubernetes\/admin\.conf|kube\/config)$/,
  /^\.?(?:pypoetry\/auth\.toml|snowflake\/connections\.toml|pip\/pip\.(?:conf|ini)|fly\/config\.yml)$/,
  /^\.(?:mc\/config\.json|circleci\/cli\.yml|travis\/config\.yml|dbt\/profiles\.yml|lftp\/rc)$/,
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
