import { hexlify, id, toUtf8Bytes } from 'ethers'
import { expect, it } from 'vitest'
import type { DeployedContract } from '#test/support/contracts.ts'
import {
  always,
  controlKeyOf,
  createContractRegistries,
  issuerType,
  keyType,
  relationship,
  successorOf,
} from '#test/support/contracts.ts'
import { createDidKey, type DidKey } from '#test/support/create-did-key.ts'

const snapshotFile = '../../contracts/gas-snapshot.json'
const baseDocument = '{"@context":["https://www.w3.org/ns/did/v1"]}'
const alsoKnownAs = 'urn:oid:organizationIdentifier:VATES-A12345678'
const jwk = hexlify(
  toUtf8Bytes(
    JSON.stringify({
      kty: 'EC',
      crv: 'P-256',
      x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
      y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
    }),
  ),
)
/** An accreditation JWT has about this many characters. */
const accreditation = `0x${'61'.repeat(1500)}`

const r = await createContractRegistries()
const gas: Record<string, number> = {}

/** Sends a transaction that has to pass, and notes its gas. */
async function measure(
  label: string,
  signer: DidKey,
  contract: DeployedContract,
  method: string,
  ...args: unknown[]
): Promise<void> {
  const { reverted, gasUsed } = await r.chain.send(signer.wallet, contract, method, ...args)
  expect(reverted).toBeUndefined()
  gas[label] = gasUsed
}

async function measureDidRegistry(): Promise<void> {
  const [a, b, next, raw, other] = ['a', 'b', 'next', 'raw', 'other'].map((label) =>
    createDidKey(`gas ${label}`),
  ) as [DidKey, DidKey, DidKey, DidKey, DidKey]
  const on = (signer: DidKey, method: string, ...args: unknown[]) =>
    measure(`DidRegistry.${method}`, signer, r.registry, method, ...args)
  const { operator, node } = r
  await on(operator, 'authorizeOnboardingNode', other.address)
  await on(operator, 'withdrawOnboardingNode', other.address)
  await r.done(node, 'insertFirstDidDocument', b.did, '', controlKeyOf(b), alsoKnownAs)
  await on(node, 'insertFirstDidDocument', a.did, baseDocument, controlKeyOf(a), alsoKnownAs)
  await on(a, 'updateBaseDocument', a.did, baseDocument)
  await on(a, 'updateAlsoKnownAs', a.did, alsoKnownAs)
  await on(a, 'addController', a.did, b.did)
  await on(a, 'revokeController', a.did, b.did)
  await on(a, 'addControllerByAccount', a.did, b.address)
  await on(a, 'revokeControllerByAccount', a.did, b.address)
  const addJwk = [a.did, id('jwk'), keyType.jsonWebKey2020, jwk]
  await measure(
    'DidRegistry.addVerificationMethod, a JWK',
    a,
    r.registry,
    'addVerificationMethod',
    ...addJwk,
  )
  await on(a, 'addVerificationMethod', a.did, raw.vMethodId, keyType.secp256k1, raw.publicKey)
  const window = [relationship.assertionMethod, raw.vMethodId, 1, always.notAfter]
  await on(a, 'addVerificationRelationship', a.did, ...window)
  await on(
    a,
    'rollVerificationMethod',
    a.did,
    raw.vMethodId,
    successorOf(other, { duration: 9_000_000_000 }),
  )
  await on(a, 'expireVerificationMethod', a.did, other.vMethodId, always.notAfter - 1)
  await on(a, 'revokeVerificationMethod', a.did, other.vMethodId, always.notAfter - 2)
  await on(a, 'insertDidDocument', a.did, baseDocument, controlKeyOf(next))
}

async function measureTrustedIssuersRegistry(): Promise<void> {
  const root = await r.register('gas root')
  const issuer = createDidKey('gas issuer')
  const { rootTao, ti, revoked } = issuerType
  const publish = (label: string, signer: DidKey, did: string, type: number) =>
    measure(
      `TrustedIssuersRegistry.setAttributeMetadata, ${label}`,
      signer,
      r.tir,
      'setAttributeMetadata',
      ...[did, id(did), type, root.did, id(root.did)],
    )
  const data = [issuer.did, id(issuer.did), accreditation]
  const name = 'TrustedIssuersRegistry.setAttributeData'
  await publish('ROOT_TAO', r.operator, root.did, rootTao)
  await publish('TI', root, issuer.did, ti)
  await measure(name, root, r.tir, 'setAttributeData', ...data)
  await publish('REVOKED', root, issuer.did, revoked)
}

it('uses the gas in contracts/gas-snapshot.json; `npm test -- test/contracts/gas.test.ts -u` updates it', async () => {
  await measureDidRegistry()
  await measureTrustedIssuersRegistry()
  const writes = [r.registry, r.tir].flatMap(({ iface }) =>
    iface.fragments.flatMap((fragment) =>
      fragment.type === 'function' && !iface.getFunction(fragment.format('sighash'))?.constant
        ? [iface.getFunction(fragment.format('sighash'))?.name]
        : [],
    ),
  )
  const measured = new Set(Object.keys(gas).map((label) => label.split(/[.,]/)[1]))
  expect([...measured].sort()).toEqual(writes.toSorted())
  await expect(`${JSON.stringify(gas, null, 2)}\n`).toMatchFileSnapshot(snapshotFile)
})
