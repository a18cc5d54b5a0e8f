import { relationshipNames } from '#core/did/did-document.ts'

/** Names of the contracts' enumeration values, in their order. */
const words: Readonly<Record<string, readonly string[]>> = {
  issuerType: ['NONE', 'ROOT_TAO', 'TAO', 'TI', 'REVOKED'],
  relationship: relationshipNames,
  publicKeyType: ['secp256k1', 'JsonWebKey2020'],
}

/** The name of an enumeration value in an argument of a contract; undefined if it is not one. */
export function enumerationWord(argument: string, value: string): string | undefined {
  return /^\d+$/.test(value) ? words[argument]?.[Number(value)] : undefined
}
