/** The verifier's key, the same in each run so that a target file can name it; it guards nothing. */
export const privateJwk = {
  crv: 'Ed25519',
  d: 'cyev5N7tl0uW9GcdDVoLY3bHSN3tZv-Y-Q-V2H9bLgg',
  x: 'kU5M1cBrRQzfNu2HiS5SqBJYY4PwdMB2wkgWnDyqMCM',
  kty: 'OKP',
} as const

const { d, ...publicJwk } = privateJwk

export const did = `did:jwk:${Buffer.from(JSON.stringify(publicJwk)).toString('base64url')}`
export const didUrl = `${did}#0`
