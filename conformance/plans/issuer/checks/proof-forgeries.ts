import { encodeBase64url, encodeJson } from '#core/crypto/base64url.ts'
import { type PrivateJwk, publicJwkOf } from '#core/crypto/jwk.ts'
import { createSigningInput } from '#core/crypto/jws.ts'
import { createAccount } from '#wallet-emulator/keys/create-account.ts'
import { swapCase } from '../../../kit/near-misses.ts'
import { certificateOfJwk, createMac, macForgeries, setUnusedBit } from '../../../kit/signatures.ts'
import {
  headerRow,
  type Proof,
  payloadRow,
  refusedProofs,
  signProof,
  signText,
  type WrongProof,
  withHeader,
  withPayload,
} from '../proofs.ts'

/** A proof in the name of the holder that the key of an attacker signs. */
const signedByAttacker =
  (headerWith: (jwk: object, key: PrivateJwk) => Readonly<Record<string, unknown>>) =>
  ({ header, payload, account: { curve } }: Proof): string => {
    const attacker = createAccount({ curve })
    const jwk = publicJwkOf(attacker.privateKey)
    return signProof({
      header: { ...header, ...headerWith(jwk, attacker.privateKey) },
      payload,
      account: attacker,
    })
  }

/** A key set that every HTTP client which supports data URLs can fetch. */
const addressOf = (jwk: object) =>
  `data:application/json,${encodeURIComponent(JSON.stringify({ keys: [jwk] }))}`

const unsigned =
  (alg: string, signature = '') =>
  ({ header, payload }: Proof): string =>
    `${createSigningInput({ ...header, alg }, payload)}.${signature}`

/** The text of a JSON object with one member twice: the first value, then the last one. */
const withTwice = (part: object, name: string, first: unknown, last: unknown) => {
  const { [name]: _, ...others } = part as Record<string, unknown>
  const text = JSON.stringify(others).slice(0, -1)
  const member = (value: unknown) => `${JSON.stringify(name)}:${JSON.stringify(value)}`
  return `${text},${member(first)},${member(last)}}`
}

/** Signs a payload or header that is not what JSON.stringify writes. */
const signTexts = (header: string, payload: string, { account }: Proof) =>
  signText(`${encodeBase64url(header)}.${encodeBase64url(payload)}`, account)

const changeJwt = (what: string, change: (jwt: string) => string): WrongProof => ({
  what,
  change: (proof) => change(signProof(proof)),
})

export const checks = refusedProofs({
  'I100-key-in-header': {
    title: 'A key in the header of the proof does not replace the key of kid',
    level: 'spec',
    rows: [headerRow],
    clauses: ['OpenID4VCI 1.0, F.1', 'OpenID4VCI 1.0, F.4'],
    description:
      'An attacker signs with a new key, puts it into the header, and names the DID of the victim in kid.',
    sends:
      'proofs with the kid of a holder and the signature of another key, which is in jwk, at jku or in x5c',
    fix: 'Verify the proof only with the key of the DID in kid. Ignore jwk, jku, x5c and x5u if kid is present, or return 400 invalid_proof. Fetch none of these addresses.',
    proofs: [
      { what: 'the key of an attacker in jwk', change: signedByAttacker((jwk) => ({ jwk })) },
      {
        what: 'the key of an attacker at jku',
        change: signedByAttacker((jwk) => ({ jku: addressOf(jwk) })),
      },
      {
        what: 'the key of an attacker in x5c',
        change: signedByAttacker((_, key) => ({ x5c: [certificateOfJwk(key)] })),
      },
      {
        what: 'the key of an attacker in its payload, as cnf',
        change: ({ header, payload, account: { curve } }) => {
          const attacker = createAccount({ curve })
          const cnf = { jwk: publicJwkOf(attacker.privateKey) }
          return signProof({ header, payload: { ...payload, cnf }, account: attacker })
        },
      },
    ],
  },
  'I101-unsigned-in-other-words': {
    title: 'A proof without a signature, or with a MAC, is rejected regardless of its alg',
    level: 'spec',
    rows: [headerRow],
    clauses: ['OpenID4VCI 1.0, F.1'],
    description:
      'A list of forbidden algorithms that only contains none misses None and NONE. If the public key is the secret of a MAC, anyone can create the proof.',
    sends:
      'proofs without a signature and with the alg nOnE, None, NONE, empty or that of the holder, with alg none and a signature of another proof, with alg in another case or in a list, and with a MAC whose secret is the public key as PEM, DER or JWK',
    fix: 'Accept only the exact names in cryptographic_suites_supported as alg of the proof, and require a signature. Do not compare with a list of forbidden names. Return 400 invalid_proof.',
    proofs: [
      ...['None', 'NONE', 'nOnE', ''].map((alg) => ({
        what: `alg ${JSON.stringify(alg)} and no signature`,
        change: unsigned(alg),
      })),
      { what: 'no signature', change: (proof) => unsigned(String(proof.header.alg))(proof) },
      { what: 'alg none and a signature of zeros', change: unsigned('none', 'A'.repeat(86)) },
      {
        what: 'alg none and the signature of a correct proof',
        change: (proof) => unsigned('none', signProof(proof).split('.')[2])(proof),
      },
      {
        what: 'a signature of zeros',
        change: (proof) => unsigned(String(proof.header.alg), 'A'.repeat(86))(proof),
      },
      {
        what: 'alg in another case',
        level: 'practice',
        change: (proof) => withHeader({ alg: swapCase(String(proof.header.alg)) })(proof),
      },
      { what: 'alg in a list', change: (proof) => withHeader({ alg: [proof.header.alg] })(proof) },
      { what: 'no alg', change: withHeader({ alg: undefined }) },
      ...macForgeries.map((forgery) => ({
        what: `a MAC (${forgery.alg}) with ${forgery.secret}`,
        change: (proof: Proof) => {
          const input = unsigned(forgery.alg)(proof).slice(0, -1)
          return `${input}.${encodeBase64url(createMac(forgery, input, proof.account.privateKey))}`
        },
      })),
    ],
  },
  'I102-changed-after-signing': {
    title: 'A proof that was changed after it was signed is rejected',
    level: 'spec',
    rows: [headerRow, '1.authentication.7'],
    clauses: ['OpenID4VCI 1.0, F.4'],
    description:
      'A signature protects the header and the payload; an issuer that verifies only a part accepts forged claims.',
    sends:
      'proofs whose payload or header changed after the signature, and a proof with the signature of another proof of the same holder',
    fix: 'Verify the signature over the received header and payload, byte by byte. If it is invalid, return 400 invalid_proof.',
    proofs: [
      {
        what: 'a claim added after the signature',
        change: (proof) => {
          const [header, , signature] = signProof(proof).split('.')
          const payload = encodeJson({ ...proof.payload, admin: true })
          return [header, payload, signature].join('.')
        },
      },
      {
        what: 'a header member added after the signature',
        change: (proof) => {
          const [, payload, signature] = signProof(proof).split('.')
          const header = encodeJson({ ...proof.header, cty: 'JWT' })
          return [header, payload, signature].join('.')
        },
      },
      {
        what: 'the signature of another proof of the holder',
        change: (proof) => {
          const other = signProof({ ...proof, ...withPayload({ nonce: 'another' })(proof) })
          return [...signProof(proof).split('.').slice(0, 2), other.split('.')[2]].join('.')
        },
      },
      changeJwt('half of its signature', (jwt) => jwt.slice(0, -43)),
      changeJwt('a signature twice as long', (jwt) => `${jwt}${jwt.split('.')[2]}`),
    ],
  },
  'I103-not-a-compact-jws': {
    title: 'A proof that is not a JWS in compact form is rejected',
    level: 'practice',
    rows: [headerRow],
    clauses: ['OpenID4VCI 1.0, F.1'],
    description:
      'If two parsers read the same text differently, one lets a proof pass that the other rejects.',
    sends:
      'proofs with four parts, with padding, with unused bits, with a line break, with a scheme in front, with a critical extension, and with a payload that is a list, has a byte order mark or is not UTF-8',
    fix: 'Require exactly three parts in base64url without padding, and reject a header with crit. Return 400 invalid_proof.',
    proofs: [
      changeJwt('a fourth part', (jwt) => `${jwt}.e30`),
      changeJwt('a dot at its end', (jwt) => `${jwt}.`),
      changeJwt('padding', (jwt) => `${jwt}==`),
      changeJwt('unused bits that are not zero', setUnusedBit),
      changeJwt('a line break in it', (jwt) => jwt.replace('.', '.\n')),
      changeJwt('Bearer in front of it', (jwt) => `Bearer ${jwt}`),
      changeJwt('only its signed part', (jwt) => jwt.split('.').slice(0, 2).join('.')),
      {
        what: 'an unknown critical extension',
        level: 'final',
        change: withHeader({ crit: ['kit-unknown'], 'kit-unknown': true }),
      },
      {
        what: 'a byte order mark in its payload',
        change: (proof) =>
          signTexts(JSON.stringify(proof.header), `\ufeff${JSON.stringify(proof.payload)}`, proof),
      },
      {
        what: 'a payload that is not UTF-8',
        change: (proof) => {
          const [start, end] = JSON.stringify({ ...proof.payload, x: '|' }).split('|')
          const bytes = Buffer.concat([
            Buffer.from(start ?? ''),
            Buffer.of(0xff),
            Buffer.from(end ?? ''),
          ])
          const header = encodeJson(proof.header)
          return signText(`${header}.${encodeBase64url(bytes)}`, proof.account)
        },
      },
      {
        what: 'a payload that is a list',
        change: (proof) =>
          signTexts(JSON.stringify(proof.header), JSON.stringify([proof.payload]), proof),
      },
    ],
  },
  'I104-members-twice': {
    title: 'A proof with a duplicate member whose last value is wrong is rejected',
    level: 'final',
    clauses: ['RFC 7519, 4'],
    description:
      'A parser must reject duplicate members or use the last one. If a gateway uses the first and the issuer the last, an attacker chooses what each of them sees.',
    sends: 'proofs with aud, nonce, iss, iat, typ or kid twice, first right and then wrong',
    fix: 'Reject JWTs with duplicate members, or use a JSON parser that returns the last one, in the signature check and everywhere else. Return 400 invalid_proof.',
    proofs: [
      ...[
        ['aud', 'https://attacker.example'],
        ['nonce', 'a-nonce-of-my-own-making'],
        ['iss', 'did:key:zQ3shAttacker'],
        ['iat', 0],
      ].map(
        ([name, wrong]): WrongProof => ({
          what: `${name} twice, first right and then wrong`,
          change: (proof) => {
            const right = proof.payload[String(name)]
            const payload = withTwice(proof.payload, String(name), right, wrong)
            return signTexts(JSON.stringify(proof.header), payload, proof)
          },
        }),
      ),
      ...[
        ['typ', 'JWT'],
        ['alg', 'none'],
      ].map(
        ([name, wrong]): WrongProof => ({
          what: `${name} twice, first right and then wrong`,
          change: (proof) => {
            const right = proof.header[String(name)]
            const header = withTwice(proof.header, String(name), right, wrong)
            return signTexts(header, JSON.stringify(proof.payload), proof)
          },
        }),
      ),
      {
        what: 'aud twice, the second time with an escape in its name',
        change: (proof) => {
          const { aud, ...others } = proof.payload
          const text = JSON.stringify({ others: [{}], ...others, aud }).slice(0, -1)
          const payload = `${text},"\\u0061ud":"https://attacker.example"}`
          return signTexts(JSON.stringify(proof.header), payload, proof)
        },
      },
    ],
  },
  'I105-times-of-another-type': {
    title: 'A time in the proof that is not a number, or has expired, is rejected',
    level: 'final',
    rows: [payloadRow],
    clauses: ['OpenID4VCI 1.0, F.1', 'RFC 7519, 4.1.4', 'RFC 7519, 4.1.5'],
    description:
      'Comparisons with a string or null are often false, so that the proof never expires.',
    sends:
      'proofs whose iat is a string, null, a list or in milliseconds, and whose exp or nbf is a string, null or out of the period',
    fix: 'Require iat, and exp and nbf if present, to be numbers of seconds before you compare them. Return 400 invalid_proof.',
    proofs: [
      ...(['iat', 'exp', 'nbf'] as const).flatMap((name) => [
        ...['text', 'null', 'list'].map(
          (type): WrongProof => ({
            what: `${name} as ${type}`,
            change: (proof) => {
              const time = name === 'exp' ? proof.now + 300 : proof.now
              const values = { text: String(time), null: null, list: [time] }
              return withPayload({ [name]: values[type as keyof typeof values] })(proof)
            },
          }),
        ),
      ]),
      { what: 'an iso time as iat', change: withPayload({ iat: '2026-01-01T00:00:00Z' }) },
      { what: 'iat 0', change: withPayload({ iat: 0 }) },
      { what: 'a negative iat', change: withPayload({ iat: -1 }) },
      { what: 'exp 0', change: withPayload({ exp: 0 }) },
      { what: 'exp a minute ago', change: (proof) => withPayload({ exp: proof.now - 61 })(proof) },
      {
        what: 'iat in milliseconds',
        change: (proof) => withPayload({ iat: proof.now * 1000 })(proof),
      },
    ],
  },
})
