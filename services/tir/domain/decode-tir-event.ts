import { trustedIssuersRegistryAbi } from '#core/contracts/trusted-issuers-registry-abi.ts'
import { createEventDecoder, type EventDecoder } from '#core/ethereum/abi.ts'
import { issuerTypes } from './issuer-types.ts'

const decode = createEventDecoder(trustedIssuersRegistryAbi)

/** Reads an event of the contract; the accreditation in it is given as text. */
export const decodeTirEvent: EventDecoder = (log) => {
  const event = decode(log)
  if (event === undefined) return undefined
  const { issuerType, data, ...args } = event.args
  return {
    name: event.name,
    args: {
      ...args,
      ...(issuerType === undefined ? {} : { issuerType: issuerTypes[Number(issuerType)] ?? '' }),
      ...(data === undefined ? {} : { data: textOf(String(data)) }),
    },
  }
}

function textOf(hex: string): string {
  return new TextDecoder().decode(Buffer.from(hex.slice(2), 'hex'))
}
