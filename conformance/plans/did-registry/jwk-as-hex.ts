/** A JWK as publicKey of the type JsonWebKey2020: JSON in 0x-hex. */
export function jwkAsHex(jwk: object): string {
  return `0x${Buffer.from(JSON.stringify(jwk)).toString('hex')}`
}
