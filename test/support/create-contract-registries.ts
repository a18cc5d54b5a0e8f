import { createContractChain, type Outcome } from './create-contract-chain.ts'
import { createDidKey, type DidKey } from './create-did-key.ts'

/** What of a DID document the tests hold the contract against. */
export interface ResolvedDid {
  readonly baseDocument: string
  readonly alsoKnownAs: string
  readonly controllers: readonly string[]
  /** Names of the relationships by vMethodId. */
  readonly methods: Readonly<Record<string, readonly string[]>>
}

export const relationshipNames = [
  'authentication',
  'assertionMethod',
  'keyAgreement',
  'capabilityInvocation',
  'capabilityDelegation',
]

/** Numbers of the contract's enums. */
export const relationship = Object.fromEntries(
  relationshipNames.map((name, index) => [name, index]),
) as Record<string, number>
export const keyType = { secp256k1: 0, jsonWebKey2020: 1 }
export const issuerType = { none: 0, rootTao: 1, tao: 2, ti: 3, revoked: 4 }

/** A validity that holds during each test. */
export const always = { notBefore: 1, notAfter: 10_000_000_000 }

export interface ControlKeyOptions {
  readonly notBefore?: number
  readonly notAfter?: number
  readonly vMethodId?: string
  readonly proof?: string
  readonly publicKey?: string
}

/** The contract's struct ControlKey. */
export function controlKeyOf(key: DidKey, options: ControlKeyOptions = {}) {
  const { vMethodId, proof, publicKey } = key
  return { vMethodId, proof, publicKey, ...always, ...options }
}

/** The contract's struct SuccessorKey. */
export function successorOf(key: DidKey, options: object = {}) {
  const { vMethodId, publicKey } = key
  return {
    vMethodId,
    publicKeyType: keyType.secp256k1,
    publicKey,
    ...always,
    duration: 0,
    ...options,
  }
}

/** Both registries on a chain of their own, with an operator and an authorized onboarding node. */
export async function createContractRegistries() {
  const chain = await createContractChain()
  const operator = createDidKey('operator')
  const node = createDidKey('node')
  const stranger = createDidKey('stranger')
  const registry = await chain.deploy(
    operator.wallet,
    'DidRegistry',
    operator.address,
    'did:org:uc-pre:',
  )
  const tir = await chain.deploy(operator.wallet, 'TrustedIssuersRegistry', registry.address)

  /** A transaction to the DID registry. */
  const write = (signer: DidKey, method: string, ...args: unknown[]): Promise<Outcome> =>
    chain.send(signer.wallet, registry, method, ...args)
  /** A transaction to the DID registry that the test takes for granted. */
  const done = async (signer: DidKey, method: string, ...args: unknown[]): Promise<void> => {
    const { reverted } = await write(signer, method, ...args)
    if (reverted) throw new Error(`${method} reverted: ${reverted.name} ${reverted.args}`)
  }
  await done(operator, 'authorizeOnboardingNode', node.address)

  return {
    chain,
    operator,
    node,
    stranger,
    registry,
    tir,
    write,
    done,
    /** A key of this label, registered with a DID of its own. */
    register: async (label: string, options: ControlKeyOptions = {}): Promise<DidKey> => {
      const key = createDidKey(label)
      await done(
        node,
        'insertFirstDidDocument',
        key.did,
        '{"@context":[]}',
        controlKeyOf(key, options),
        `urn:${label}`,
      )
      return key
    },
    /** The document at an instant; undefined where the DID was not registered then. */
    documentAt: async (did: string, time: number): Promise<ResolvedDid | undefined> => {
      const [found, document] = (await chain.read(registry, 'resolveAt', did, time)) as [
        boolean,
        [string, string, string[], [string, number, number, string][]],
      ]
      if (!found) return undefined
      const [baseDocument, alsoKnownAs, controllers, methods] = document
      return {
        baseDocument,
        alsoKnownAs,
        controllers,
        methods: Object.fromEntries(
          methods.map(([vMethodId, , uses]) => [
            vMethodId,
            relationshipNames.filter((_name, index) => (uses & (1 << index)) !== 0),
          ]),
        ),
      }
    },
  }
}

export type ContractRegistries = Awaited<ReturnType<typeof createContractRegistries>>
