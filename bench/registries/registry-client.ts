import { privateJwkFromHex } from '#core/crypto/jwk.ts'
import { verificationMethodIdOf } from '#core/did/did-org.ts'
import { createDidProof, didOfProof } from '#core/did/did-proof.ts'
import { addressOfPublicKey } from '#core/ethereum/account.ts'
import { signTransaction, type UnsignedTransaction } from '#core/ethereum/transaction.ts'
import type { Environment } from '#scenarios/harness/z-testbed-file.ts'

export interface Account {
  readonly address: string
  readonly privateKey: string
}

/** A key with the DID that belongs to it. */
export interface DidAccount extends Account {
  readonly did: string
  readonly vMethodId: string
  readonly proof: string
  readonly publicKey: string
}

/** A separate account for each number. */
export function createDidAccount(number: number): DidAccount {
  const privateKey = `0x${(number + 1).toString(16).padStart(64, '0')}`
  const { proof, publicKey } = createDidProof(privateKey)
  return {
    address: addressOfPublicKey(publicKey),
    privateKey,
    did: didOfProof(proof, 'pre'),
    vMethodId: verificationMethodIdOf(privateJwkFromHex(privateKey)),
    proof,
    publicKey,
  }
}

interface ContractCall {
  readonly to: string
  readonly data: string
}

interface RpcAnswer {
  readonly result?: unknown
  readonly error?: { readonly message: string }
}

export type RegistryClient = ReturnType<typeof createRegistryClient>

async function fetchJson<T>(url: string, init?: RequestInit): Promise<T> {
  const answer = await fetch(url, init)
  if (answer.status !== 200) throw new Error(`${url}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as T
}

const postJson = <T>(url: string, body: unknown) =>
  fetchJson<T>(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

/** The DID registry API and its chain, as a simple client uses them. */
export function createRegistryClient(environment: Environment) {
  const { didRegistryBaseUrl, tirBaseUrl, chain, trustChain } = environment
  const identifiers = `${didRegistryBaseUrl}/api/v1/identifiers`
  const callChain = async <T>(method: string, params: readonly unknown[]): Promise<T> => {
    const { result, error } = await postJson<RpcAnswer>(chain.rpcUrl, {
      jsonrpc: '2.0',
      id: 1,
      method,
      params,
    })
    if (error !== undefined) throw new Error(`${method}: ${error.message}`)
    return result as T
  }
  const sign = (call: ContractCall, nonce: number, signer: Account): string =>
    signTransaction(
      {
        ...call,
        from: signer.address,
        nonce: `0x${nonce.toString(16)}`,
        chainId: chain.chainId,
        gasLimit: '0xe4e1c0',
        gasPrice: '0x0',
        value: '0x0',
      },
      signer.privateKey,
    ).raw
  const build = async (operation: string, body: object): Promise<UnsignedTransaction> =>
    postJson(`${didRegistryBaseUrl}/api/v1/contract/${operation}`, body)

  return {
    callChain,
    build,
    resolve: (did: string) => fetchJson(`${identifiers}/${did}`),
    list: (page: number, pageSize: number) =>
      fetchJson<{ readonly total: number }>(`${identifiers}?page=${page}&pageSize=${pageSize}`),
    /** Reads the accreditation of the testbed's issuer. */
    readAttribute: () => {
      const { did, attributeId } = trustChain.issuer
      return fetchJson(`${tirBaseUrl}/v1/issuers/${did}/attributes/${attributeId}`)
    },
    /** Builds, signs and sends through the API, up to the receipt. */
    async write(operation: string, body: object, signer: Account): Promise<void> {
      const unsigned = await build(operation, { ...body, from: signer.address })
      const { raw } = signTransaction(unsigned, signer.privateKey)
      const url = `${didRegistryBaseUrl}/api/v1/transactions/send`
      const { receipt } = await postJson<{ receipt: { status: number } | null }>(url, {
        signedRawTransaction: raw,
      })
      if (receipt?.status !== 1) throw new Error(`${operation} was not applied`)
    },
    /** Signs and sends directly to the chain, up to the receipt. */
    async send(call: ContractCall, nonce: number, signer: Account): Promise<void> {
      const hash = await callChain('eth_sendRawTransaction', [sign(call, nonce, signer)])
      const receipt = await callChain<{ status: string } | null>('eth_getTransactionReceipt', [
        hash,
      ])
      if (receipt?.status !== '0x1') throw new Error(`transaction ${hash} was not applied`)
    },
    /** Signs and sends in one batch, which shares blocks. At most 100. */
    async sendAll(calls: readonly ContractCall[], nonce: number, signer: Account): Promise<void> {
      const batch = calls.map((call, place) => ({
        jsonrpc: '2.0',
        id: place,
        method: 'eth_sendRawTransaction',
        params: [sign(call, nonce + place, signer)],
      }))
      const refused = (await postJson<RpcAnswer[]>(chain.rpcUrl, batch)).find(({ error }) => error)
      if (refused !== undefined) throw new Error(refused.error?.message)
    },
  }
}

export const validity = { notBefore: 1_700_000_000, notAfter: 2_500_000_000 }

/** The body of insertFirstDidDocument for an account. */
export function firstDocumentOf({ did, vMethodId, proof, publicKey }: DidAccount) {
  const publicKeyType = 'secp256k1' as const
  const alsoKnownAs = `urn:oid:organizationIdentifier:${did.slice(-8)}`
  return { did, vMethodId, proof, publicKeyType, publicKey, ...validity, alsoKnownAs }
}
