import { createContract, decodeError } from 'micro-eth-signer/abi.js'
import { didRegistryAbi } from '#core/contracts/did-registry-abi.ts'
import { textOutputsAsBytes, toText } from '#core/ethereum/abi.ts'
import { checksumAddress, toHex } from '#core/ethereum/account.ts'
import { rememberAnswers } from '#core/memory/keep-newest.ts'
import type { ChainClient } from '#kit/chain-client.ts'
import type { ContractDidDocument } from '../domain/did-document.ts'

/** Encoders of the contract's functions: call data as bytes. */
export const didRegistryCalls = createContract(didRegistryAbi)

const reads = createContract(textOutputsAsBytes(didRegistryAbi))

/**
 * Read access to the contract, with one `eth_call` each. The same answer gives the same document
 * object.
 */
export interface DidRegistryContract {
  /** The current document, at the service's `time`; undefined if the DID is not registered. */
  resolve(did: string, time: number): Promise<ContractDidDocument | undefined>
  /** The document at an instant in Unix seconds; undefined before the registration. */
  resolveAt(did: string, time: bigint): Promise<ContractDidDocument | undefined>
  /** A page of the registered DIDs in the order of their registration. */
  identifiers(
    offset: bigint,
    limit: number,
  ): Promise<{ readonly total: number; readonly items: readonly string[] }>
}

export function createDidRegistryContract(
  chain: ChainClient,
  address: string,
): DidRegistryContract {
  const call = (data: Uint8Array) => chain.call({ to: address, data: toHex(data) })

  const documentOf = rememberAnswers((answer, did): ContractDidDocument | undefined => {
    const { found, document } = reads.resolve.decodeOutput(answer)
    if (!found) return undefined
    const { baseDocument, alsoKnownAs, controllers, verificationMethods } = document
    return {
      did,
      baseDocument: toText(baseDocument),
      alsoKnownAs: toText(alsoKnownAs),
      controllers: controllers.map(checksumAddress),
      verificationMethods,
    }
  })

  return {
    resolve: async (did, time) =>
      documentOf(await call(reads.resolve.encodeInput({ did, time: BigInt(time) })), did),
    resolveAt: async (did, time) =>
      documentOf(await call(reads.resolveAt.encodeInput({ did, time })), did),
    identifiers: async (offset, limit) => {
      const data = reads.identifiers.encodeInput({ offset, limit: BigInt(limit) })
      const answer = Buffer.from((await call(data)).slice(2), 'hex')
      const { total, page } = reads.identifiers.decodeOutput(answer)
      return { total: Number(total), items: page.map(toText) }
    },
  }
}

/** Decodes the contract error in a transaction's revert data, with printable arguments. */
export function parseRevert(data: string): { name: string; args: unknown[] } | undefined {
  try {
    const error = decodeError(data, didRegistryAbi)
    if (error === undefined) return undefined
    return { name: error.name, args: printable(error.args) }
  } catch {
    return undefined
  }
}

/** A single argument stays unchanged; several are an array or an object. */
function printable(args: unknown): unknown[] {
  const isList = typeof args === 'object' && args !== null && !(args instanceof Uint8Array)
  return (isList ? Object.values(args) : args === undefined ? [] : [args]).map((value) => {
    if (typeof value === 'bigint') return value.toString()
    if (value instanceof Uint8Array) return toHex(value)
    return /^0x[0-9a-f]{40}$/.test(String(value)) ? checksumAddress(String(value)) : value
  })
}
