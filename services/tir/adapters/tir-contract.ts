import { createContract } from 'micro-eth-signer/abi.js'
import { trustedIssuersRegistryAbi } from '#core/contracts/trusted-issuers-registry-abi.ts'
import { textOutputsAsBytes, toText } from '#core/ethereum/abi.ts'
import { toHex } from '#core/ethereum/account.ts'
import { rememberAnswers } from '#core/memory/keep-newest.ts'
import type { ChainClient } from '#kit/chain-client.ts'
import { issuerTypes } from '../domain/issuers.ts'

/** Encoders of the contract's functions: call data as bytes. */
export const tirCalls = createContract(trustedIssuersRegistryAbi)

const reads = createContract(textOutputsAsBytes(trustedIssuersRegistryAbi))

/** An attribute as returned by the contract. */
interface ContractAttribute {
  readonly issuerType: Exclude<(typeof issuerTypes)[number], 'NONE'>
  readonly taoDid: string
  /** 64 hex digits without 0x. */
  readonly attributeIdTao: string
  readonly rootTaoDid: string
  /** The latest revision of the data as text; empty before the first revision. */
  readonly body: string
}

export interface TirContract {
  /**
   * Returns an attribute by its identifier, 64 hex digits without 0x; undefined if it does not
   * exist.
   */
  getAttribute(did: string, attributeId: string): Promise<ContractAttribute | undefined>
}

export function createTirContract(chain: ChainClient, address: string): TirContract {
  const attributeOf = rememberAnswers((answer): ContractAttribute | undefined => {
    const attribute = reads.getAttribute.decodeOutput(answer)
    const issuerType = issuerTypes[Number(attribute.issuerType)]
    if (issuerType === undefined || issuerType === 'NONE') return undefined
    return {
      issuerType,
      taoDid: toText(attribute.taoDid),
      attributeIdTao: Buffer.from(attribute.attributeIdTao).toString('hex'),
      rootTaoDid: toText(attribute.rootTaoDid),
      body: toText(attribute.data),
    }
  })

  return {
    async getAttribute(did, attributeId) {
      const data = reads.getAttribute.encodeInput({
        did,
        attributeId: Buffer.from(attributeId, 'hex'),
      })
      return attributeOf(await chain.call({ to: address, data: toHex(data) }))
    },
  }
}
