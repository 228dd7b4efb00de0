/** Names of files and folders that hold credentials, whatever lies in them. */

/** By one name, not a path. Case and the marks of backup copies (`.env~`, `.npmrc.bak`) make no difference. */
export const isSecret = (name: string): boolean => {
  const plain = name.toLowerCase().replace(backup, "")
  return secrets.test(plain) && !harmless.test(plain)
}

/** At most three: without a bound, a long row of tildes from a model would take time in its square. */
const backup = /(?:~|\.(?:bak|backup|old|orig|save|swp|tmp)){1,3}$/

/** One pattern in place of many: each name of a walk is asked about. */
const anyOf = (...patterns: ReadonlyArray<RegExp>): RegExp => new RegExp(patterns.map(({ source }) => source).join("|"))

const secrets = anyOf(
  // Environments: `.env`, `.env.local`, `.env-production`, `.envrc`, `prod.env`.
  /^\.env(?:rc)?(?:[^a-z]|$)/,
  /\.env$/,
  // Private keys and key stores.
  /\.(?:pem|key|p8|p12|pfx|pkcs12|ppk|jks|keystore|kdbx)$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519|xmss)/,
  // Logins of tools.
  /^[._]netrc$/,
  /^\.(?:npmrc|pypirc|git-credentials|pgpass|my\.cnf|htpasswd|dockercfg|s3cfg|boto|terraformrc|vault-token)$/,
  /^\.(?:aws|azure|gcloud|gnupg|kube|ssh)$/,
  /^(?:application_default_)?credentials\.json$/,
  /^(?:gha-creds|client_secret)[^/]*\.json$/,
  /^service[-_]account(?:[-_]key)?\.json$/,
)

const harmless = anyOf(/^\.env.*\.(?:example|sample|template)$/, /^(?:example|sample)\.env$/, /\.pub$/)
