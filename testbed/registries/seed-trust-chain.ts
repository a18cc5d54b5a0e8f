import { randomUUID } from 'node:crypto'
import { relationshipNames } from '#core/did/did-document.ts'
import { createDidProof } from '#core/did/did-proof.ts'
import { isTestbedError } from '#core/errors/testbed-error.ts'
import type { Signer } from '#core/ethereum/account.ts'
import { signAccreditation } from '#core/trust/accreditation.ts'
import { defaultBaseDocument } from '#services/did-registry/domain/base-document.ts'
import { createControlKey, vMethodIdBytes } from '#services/did-registry/domain/public-keys.ts'
import { seedingFailed } from '#testbed/errors.ts'
import {
  contractAddressesOf,
  countTransactions,
  type DeployOptions,
  operatorTransactions,
  sendTransactions,
} from './deploy-contracts.ts'
import type { Accredited, EnvironmentKeys, Identity } from './environment-keys.ts'

export interface SeedOptions extends Pick<DeployOptions, 'chain' | 'chainId' | 'send'> {
  readonly keys: EnvironmentKeys
  readonly tirBaseUrl: string
  /** Credential types for which the chain accredits its members. */
  readonly credentialTypes: readonly string[]
  /** Unix seconds. */
  readonly now: number
}

const validitySeconds = 10 * 365 * 86_400

/** What encodes calls of the contracts. Only a start that writes loads it. */
async function loadEncoders() {
  const [{ didRegistryCalls }, { tirCalls }, { issuerTypes }] = await Promise.all([
    import('#services/did-registry/adapters/did-registry-contract.ts'),
    import('#services/tir/adapters/tir-contract.ts'),
    import('#services/tir/domain/issuers.ts'),
  ])
  return { didRegistryCalls, tirCalls, issuerTypes }
}

/** A transaction of the seeding; its data is created only if it must be sent. */
interface Step {
  readonly what: string
  readonly signer: Signer
  readonly to: string
  readonly data: (encoders: Awaited<ReturnType<typeof loadEncoders>>) => Uint8Array
}

/**
 * What the seeding writes, in stages: transactions of one account are in the order of their nonces,
 * and only those of different accounts in different stages depend on each other.
 */
function planSeeding(options: SeedOptions): readonly (readonly Step[])[] {
  const { keys, now } = options
  const { rootTao, tao, issuer, verifier, operator, onboardingNode } = keys
  const { didRegistryAddress, tirAddress } = contractAddressesOf(operator.address)
  const validity = { notBefore: now, notAfter: now + validitySeconds }

  const register = (identity: Identity): Step => ({
    what: `the registration of ${identity.did}`,
    signer: onboardingNode,
    to: didRegistryAddress,
    data: ({ didRegistryCalls }) => {
      const { did, vMethodId, organizationIdentifier, privateKey } = identity
      const key = { vMethodId, ...createDidProof(privateKey), ...validity }
      return didRegistryCalls.insertFirstDidDocument.encodeInput({
        did,
        baseDocument: defaultBaseDocument,
        key: createControlKey({ ...key, publicKeyType: 'secp256k1' }),
        alternativeIdentifier: `urn:oid:organizationIdentifier:${organizationIdentifier}`,
      })
    },
  })
  const addAssertionMethod = (identity: Identity): Step => ({
    what: `the assertionMethod of ${identity.did}`,
    signer: identity,
    to: didRegistryAddress,
    data: ({ didRegistryCalls }) =>
      didRegistryCalls.addVerificationRelationship.encodeInput({
        did: identity.did,
        relationship: BigInt(relationshipNames.indexOf('assertionMethod')),
        vMethodId: vMethodIdBytes(identity.vMethodId),
        notBefore: BigInt(validity.notBefore),
        notAfter: BigInt(validity.notAfter),
      }),
  })
  const publish = (
    subject: Accredited,
    parent: Accredited,
    issuerType: 'ROOT_TAO' | 'TAO' | 'TI',
    // Writes the metadata: the operator for a root, the parent otherwise.
    signer: Signer,
  ): readonly [Step, Step] => {
    const attributeId = Buffer.from(subject.attributeId, 'hex')
    const metadata: Step['data'] = ({ tirCalls, issuerTypes }) =>
      tirCalls.setAttributeMetadata.encodeInput({
        did: subject.did,
        revisionId: attributeId,
        issuerType: BigInt(issuerTypes.indexOf(issuerType)),
        taoDid: parent.did,
        attributeIdTao: Buffer.from(parent.attributeId, 'hex'),
      })
    const data: Step['data'] = ({ tirCalls }) =>
      tirCalls.setAttributeData.encodeInput({
        did: subject.did,
        attributeId,
        attributeData: Buffer.from(createJwt(options, subject, parent)),
      })
    const what = `the accreditation of ${subject.did}`
    return [
      { what, signer, to: tirAddress, data: metadata },
      { what, signer: parent, to: tirAddress, data },
    ]
  }

  const members = [rootTao, tao, issuer, verifier]
  const [rootMetadata, rootData] = publish(rootTao, rootTao, 'ROOT_TAO', operator)
  return [
    members.map(register),
    [...members.map(addAssertionMethod), rootMetadata],
    [rootData, ...publish(tao, rootTao, 'TAO', rootTao)],
    publish(issuer, tao, 'TI', tao),
  ]
}

/**
 * The transactions that are missing, by stage. An account has sent as many of its transactions as
 * its nonce says.
 */
async function findMissing(options: SeedOptions) {
  const { chain, keys } = options
  const stages = planSeeding(options)
  const addresses = [...new Set(stages.flat().map(({ signer }) => signer.address))]
  const counts = await Promise.all(addresses.map((each) => countTransactions(chain, each)))
  const sent = new Map(addresses.map((address, index) => [address, counts[index] ?? 0]))
  const nonces = new Map([[keys.operator.address, operatorTransactions]])
  return stages.map((stage) =>
    stage.flatMap((step) => {
      const { address } = step.signer
      const nonce = nonces.get(address) ?? 0
      nonces.set(address, nonce + 1)
      return nonce < (sent.get(address) ?? 0) ? [] : [{ ...step, nonce }]
    }),
  )
}

/** Whether the whole trust chain has been written once. What was revoked since stays revoked. */
export async function isTrustChainSeeded(options: SeedOptions): Promise<boolean> {
  return (await findMissing(options)).flat().length === 0
}

/**
 * Registers the DIDs of the trust chain (RTAO, TAO, TI) and of the verifier, each with an
 * assertionMethod key, and publishes the chain's accreditations. After an interrupted start it
 * continues with what is missing.
 * @throws TestbedError `seeding_failed`
 */
export async function seedTrustChain(options: SeedOptions): Promise<void> {
  const missing = await findMissing(options)
  const encoders = await loadEncoders()
  // The testbed's own chain executes transactions in the order of their arrival.
  for (const stage of options.send === undefined ? missing : [missing.flat()]) {
    const planned = stage.map((step) => ({ ...step, data: step.data(encoders) }))
    await sendTransactions(options, planned).catch((error) => {
      throw isTestbedError(error) ? seedingFailed(error) : error
    })
  }
}

function createJwt(options: SeedOptions, subject: Accredited, parent: Accredited): string {
  const { tirBaseUrl, credentialTypes, now } = options
  return signAccreditation({
    id: `urn:uuid:${randomUUID()}`,
    subjectDid: subject.did,
    attributeId: subject.attributeId,
    types: credentialTypes,
    accreditor: parent,
    tirBaseUrl,
    now,
    validUntil: now + validitySeconds,
  })
}
