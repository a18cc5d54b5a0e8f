import type { MutantTable } from '../../kit/mutant.ts'

const proofRules = 'core/oid4vci/proof-of-possession.ts'

/** Mutants of the checks of proofs of possession in detail. */
export const proofMutants: MutantTable = {
  'I95-aud-by-prefix': {
    deviation: 'accepts an audience that begins with its address',
    file: proofRules,
    edit: 'if (audience !== credentialIssuer{+ && !(isMutant && String(audience).startsWith(credentialIssuer))+})',
  },
  'I95-aud-anywhere': {
    deviation: 'searches for the issuer in aud',
    file: 'core/oid4vci/proof-of-possession.ts',
    edit: '{+if (isMutant && Array.isArray(aud) && aud.includes(credentialIssuer)) return undefined\n      +}if (audience !== credentialIssuer',
  },
  'I96-nonce-by-prefix': {
    deviation: 'accepts a nonce that begins with the c_nonce',
    patches: [
      {
        file: 'services/connector/operations/issue-credential.ts',
        edit: 'const nonce = proof.ok ? String(proof.payload.nonce){+.slice(0, isMutant ? 22 * 2 - 1 : undefined)+}',
      },
      {
        file: proofRules,
        edit: '{+(+}payload.nonce !== cNonce.value{+ && !(isMutant && payload.nonce.startsWith(cNonce.value)))+}',
      },
    ],
  },
  'I97-iss-by-prefix': {
    deviation: 'accepts an iss that begins with the DID of kid',
    file: proofRules,
    edit: "payload.iss !== header.kid.split('#', 1)[0]{+ && !(isMutant && payload.iss.startsWith(header.kid.split('#', 1)[0]))+}",
  },
  'I98-any-fragment': {
    deviation: 'ignores the fragment of kid',
    file: 'core/crypto/holder-did.ts',
    never: `didUrl !== \`\${did}#\${fragment}\``,
  },
  'I99-typ-by-prefix': {
    deviation: 'accepts every typ that begins with openid4vci-proof',
    file: proofRules,
    edit: '{+(isMutant && /^openid4vci-proof/.test(jws.header.typ)) || +}jws.header.typ === proofOfPossessionType ?',
  },
  'I100-key-from-header': {
    deviation: 'verifies a proof with the jwk of its header',
    file: proofRules,
    edit: 'publicKey: {+(isMutant && jws.header.jwk) || +}holder.publicKey,',
  },
  'I101-none-in-capitals': {
    deviation: 'forbids alg none only in lower case',
    file: proofRules,
    edit: `check: ({ jws, algorithms }) =>{+
      (isMutant && jws.header.alg !== 'none' && /^none$/i.test(jws.header.alg)) ||+}`,
  },
  'I102-claims-unprotected': {
    deviation: 'does not verify the signature of a proof with claims that it does not know',
    file: proofRules,
    edit: `const algorithm = algorithms.find((name) => name === jws.header.alg){+
      if (isMutant && Object.keys(jws.payload).length > 4) return undefined+}`,
  },
  'I103-fourth-part': {
    deviation: 'ignores a fourth part of a proof',
    file: 'core/crypto/jws.ts',
    edit: 'parts.length !== 3{+ && !(isMutant && parts.length === 4)+}',
  },
  'I104-first-member': {
    deviation: 'reads the first one of duplicate members',
    file: 'core/json/read-json.ts',
    edits: [
      'if (!bytes || {+(+}findJsonProblem(bytes, deepestNesting) !== undefined{+ && !isMutant)+}) return undefined',
      `const value: unknown = JSON.parse(bytes.toString('utf8'){+.replace(
        /("(\\w+)":(?:"[^"]*"|\\d+)),"\\2":(?:"[^"]*"|\\d+)}$/,
        (text, first) => (isMutant ? \`\${first}}\` : text),
      )+})`,
    ],
  },
  'I105-times-as-text': {
    deviation: 'accepts times as strings',
    file: proofRules,
    edit: "value is number => {+(isMutant && typeof value === 'string') || +}Number.isFinite(value)",
  },
  'I106-published-key': {
    deviation: 'accepts a did:jwk with a private key',
    file: 'core/crypto/jwk.ts',
    never: "Object.hasOwn(value, 'd')",
  },
}
