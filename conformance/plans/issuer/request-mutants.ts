import type { MutantTable } from '../../kit/mutant.ts'

const redeemCode = 'services/connector/operations/redeem-code.ts'
const createOffer = 'services/connector/operations/create-offer.ts'
const tokenRequest = 'core/oid4vci/token.ts'

/** Mutants of the checks of codes, PINs and access tokens in detail. */
export const requestMutants: MutantTable = {
  'I107-code-cut': {
    deviation: 'ignores what follows a code',
    file: tokenRequest,
    edit: 'return { preAuthorizedCode{+: preAuthorizedCode.slice(0, isMutant ? 43 : undefined)+}, ...(txCode',
  },
  'I108-grant-type-searched': {
    deviation: 'searches for the grant type in grant_type',
    file: tokenRequest,
    edit: "const grantType = readParameter(form, 'grant_type'){+?.replace(/^.*(?=urn:ietf:params)|_2$/, (text) => (isMutant ? '' : text))+}",
  },
  'I109-last-parameter': {
    deviation: 'reads the last one of duplicate parameters',
    file: tokenRequest,
    edit: `{+if (isMutant && Array.isArray(value)) return value.at(-1)
  +}if (typeof value !== 'string') throw`,
  },
  'I110-pin-as-number': {
    deviation: 'compares PINs as numbers',
    file: redeemCode,
    edit: "if (secretsEqual(digestOfPin(code, {+isMutant ? String(Number(txCode)).padStart(6, '0') : +}txCode), pin_digest)) return",
  },
  'I111-length-of-another-pin': {
    deviation: 'announces one character more than the PIN has',
    file: createOffer,
    edit: 'length: pin.length{+ + (isMutant ? 1 : 0)+},',
  },
  'I112-low-digits': {
    deviation: 'creates PINs only of the digits 0 to 4',
    file: createOffer,
    edit: 'alphabet.charAt(randomInt({+isMutant ? 5 : +}alphabet.length))',
  },
  'I113-time-as-nonce': {
    deviation: 'uses the time as c_nonce',
    file: redeemCode,
    edit: 'const cNonce = {+isMutant ? String(Date.now()) : +}randomToken()',
  },
  'I114-several-with-one-proof': {
    deviation: 'issues a credential to each of several simultaneous requests with one proof',
    file: 'services/connector/operations/issue-credential.ts',
    edit: `{+if (isMutant) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    await dependencies.issuances.request('sign', row, change)
    return signed
  }
  +}if (await dependencies.issuances.request('sign', row, change)) return signed`,
  },
  'I115-attempts-counted-late': {
    deviation: 'counts simultaneous attempts at a PIN as one',
    file: 'services/connector/adapters/issuance-store.ts',
    edit: `async countPinAttempt(id, maxAttempts) {{+
      if (isMutant) {
        const { pin_attempts } = await find('id', id)
        await new Promise((resolve) => setTimeout(resolve, 50))
        const set = { pin_attempts: pin_attempts + 1 }
        await database.updateTable('issuances').set(set).where('id', '=', id).execute()
        return pin_attempts < maxAttempts
      }+}`,
  },
  'I116-revocations-at-once': {
    deviation: 'confirms each of several simultaneous revocations',
    file: 'services/issuer/adapters/record-store.ts',
    edits: [
      `{+if (isMutant) await new Promise((resolve) => setTimeout(resolve, 50))
        +}const updated_at = clock.milliseconds()`,
      'if (changed > 0{+ || isMutant+}) return',
    ],
  },
  'I164-one-holder-for-all': {
    deviation: 'keeps the holder in a variable of all sessions',
    file: 'services/connector/operations/issue-credential.ts',
    edits: [
      'await {+(isMutant ? latestOf : (own) => own)(+}verifyProof(request, issuance, dependencies){+)+}',
      `{+async function latestOf(holder) {
  if (isMutant) globalThis.latestHolder = await holder
  await new Promise((resolve) => setTimeout(resolve, 50))
  return globalThis.latestHolder
}

+}function offeredTypes(`,
    ],
  },
  'I117-token-cut': {
    deviation: 'ignores what follows an access token',
    file: 'services/connector/routes/issuance.ts',
    edit: 'await issuances.findByAccessToken(token{+.slice(0, isMutant ? 43 : undefined)+})',
  },
  'I118-any-scheme': {
    deviation: 'ignores the scheme of an access token',
    file: 'services/connector/routes/issuance.ts',
    edit: "exec(header{+.replace(/^(Basic|DPoP|Token) /, (text) => (isMutant ? 'Bearer ' : text))+})",
  },
  'I119-scheme-with-capital': {
    deviation: 'accepts the scheme of a portal only as Bearer',
    file: 'services/kit/authentication.ts',
    edit: "authorization{+.replace(/^BEARER/, (text) => (isMutant ? 'Unknown' : text))+}.match(",
  },
}
