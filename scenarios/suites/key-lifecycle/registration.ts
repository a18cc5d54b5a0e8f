import { createECDH } from 'node:crypto'
import type { PublicJwk } from '#core/crypto/jwk.ts'
import { verificationMethodIdOf } from '#core/did/did-org.ts'
import { createDidProof } from '#core/did/did-proof.ts'
import { toHex } from '#core/ethereum/account.ts'
import {
  createOwnIdentity,
  firstDocumentOf,
  registerDid,
  usualValidity,
} from '#scenarios/fixtures/own-dids.ts'
import {
  callDidRegistry,
  expectRegistryRefusal,
  expectRevert,
  openRegistries,
} from '#scenarios/fixtures/registries.ts'
import { cite, defineScenario, type ScenarioContext } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectIncludes,
  expectJson,
  expectPresent,
} from '#scenarios/harness/expectations.ts'

const registerAndResolve = defineScenario({
  id: 'key-lifecycle/register-and-resolve',
  title: 'An organization registers its DID, and any client can resolve it',
  algorithms: ['ES256K'],
  description: `
Before the registration the registry returns 404. The onboarding node sends the organization's first
document, and the organization itself adds \`assertionMethod\` to its key: the API builds the transaction,
the organization signs it offline and sends it.

The DID document is in the W3C form: the key as \`publicKeyJwk\` of type \`JsonWebKey2020\` under
\`<did>#<vMethodId>\`, the address of the key as controller, the alternative identifier, and the
relationships.`,
  references: cite(
    'Profile: 2.states-and-transitions.1',
    'Profile: 2.resources-and-their-fields/did-document',
    'Assumptions: A-02, A-09',
  ),

  async run(context) {
    const { step, uniqueName } = context
    const { did } = createOwnIdentity(context)
    const path = `identifiers/${encodeURIComponent(did)}`

    await step('Before the registration the DID cannot be resolved', async () => {
      expectRegistryRefusal(await callDidRegistry(context, path), 404)
    })
    const own = await step('The organization registers it', registerDid)
    await step('Any client can resolve it', async () => {
      const document = expectJson(await callDidRegistry(context, path), 200)
      const xy = own.publicKey.slice(4)
      const coordinate = (from: number) =>
        Buffer.from(xy.slice(from, from + 64), 'hex').toString('base64url')
      expectIncludes('the DID document', document, {
        id: did,
        controller: [own.address],
        assertionMethod: [own.kid],
        authentication: [own.kid],
        capabilityInvocation: [own.kid],
        alsoKnownAs: [`urn:oid:organizationIdentifier:VATES-${uniqueName}`],
      })
      const [method, ...others] = document.verificationMethod as Record<string, unknown>[]
      expectEqual('the number of other methods', others.length, 0)
      const { publicKeyJwk, ...rest } = method ?? {}
      expectIncludes('the verification method', rest, { id: own.kid, type: 'JsonWebKey2020' })
      expectIncludes('its key', publicKeyJwk as Record<string, unknown>, {
        kty: 'EC',
        crv: 'secp256k1',
        x: coordinate(0),
        y: coordinate(64),
      })
    })
  },
})

const registeredOnce = defineScenario({
  id: 'key-lifecycle/registered-once',
  title: 'A DID is registered once, with its own key and its own proof',
  algorithms: ['ES256K'],
  description: `
\`insertFirstDidDocument\` works once per entity: a second call reverts, although the onboarding node
signed it.

A DID cannot be registered with another organization's key either: the proof belongs to the key, and the
DID to the proof. With a different key, proof, or DID the transaction reverts, and the DID remains
unregistered.`,
  references: cite(
    'Profile: 2.states-and-transitions.1',
    'Profile: 2.endpoints/did-registry',
    'Assumptions: A-01',
  ),
  needs: ['revert-reasons'],

  async run(context) {
    const { step, environment } = context
    const { didRegistry, writeDid } = openRegistries(context)
    const insert = (changed: object = {}) =>
      writeDid(
        'insertFirstDidDocument',
        { ...firstDocumentOf(context, victim), ...changed },
        environment.onboardingNode,
      )
    const victim = createOwnIdentity(context, 'victim')
    const thief = createOwnIdentity(context, 'thief')

    await step("Another key with the owner's proof is rejected", () => {
      const { publicKey, vMethodId } = thief
      return expectRevert('the theft', insert({ publicKey, vMethodId }), 'DidRegistryInvalidProof')
    })
    await step('A proof and key of another organization are rejected', () => {
      const { vMethodId, privateKey } = thief
      const theft = insert({ vMethodId, ...createDidProof(privateKey) })
      return expectRevert('the theft', theft, 'DidRegistryDidMismatch')
    })
    await step('The DID is not registered', async () => {
      expectEqual('the document', await didRegistry.resolve(victim.did), undefined)
    })
    await step('Its owner registers it', () =>
      registerDid(context, 'victim', { isForAssertions: false }),
    )
    await step('A second registration is rejected', () =>
      expectRevert('the second registration', insert(), 'DidRegistryDidAlreadyRegistered'),
    )
  },
})

/** A P-256 key for this scenario; the last bytes stay below the curve's order. */
function createPrivateP256Jwk({ seededBytes }: ScenarioContext) {
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(seededBytes(31))
  const point = pair.getPublicKey()
  const [x, y] = [point.toString('base64url', 1, 33), point.toString('base64url', 33)]
  const d = Buffer.concat([Buffer.of(0), pair.getPrivateKey()]).toString('base64url')
  return { kty: 'EC', crv: 'P-256', x, y, d } as const
}

const p256 = defineScenario({
  id: 'key-lifecycle/p-256',
  title: 'A P-256 key can only be registered as a JWK',
  algorithms: ['EdDSA'],
  description: `
\`publicKeyType\` P-256 is reserved: every operation that takes a key returns 400 with the code
\`UNSUPPORTED\`. The same key can be registered as \`JsonWebKey2020\`, a JWK serialized in hex, and is
returned with type \`JsonWebKey2020\` and crv P-256.

A JWK with its private part is rejected, since it would be published on a chain. A JWK can sign but not
control: only raw secp256k1 keys can control.`,
  references: cite(
    'Profile: 2.resources-and-their-fields/verification-method-input',
    'Profile: 2.errors/did-registry',
    'Assumptions: A-05, A-11',
  ),
  needs: ['revert-reasons'],

  async run(context) {
    const { step } = context
    const { writeDid, didRegistry } = openRegistries(context)
    const own = await step('An organization registers a DID', () =>
      registerDid(context, 'organization', { isForAssertions: false }),
    )
    const { did, address: from } = own
    const { d, ...publicJwk } = createPrivateP256Jwk(context)
    const vMethodId = verificationMethodIdOf(publicJwk as PublicJwk)
    const serialize = (jwk: object) => toHex(Buffer.from(JSON.stringify(jwk)))
    const method = { did, vMethodId, from }
    const build = (publicKeyType: string, publicKey: string) =>
      callDidRegistry(context, 'contract/addVerificationMethod', {
        json: { ...method, publicKeyType, publicKey },
      })

    await step('As P-256 it is rejected', async () => {
      const { x, y } = publicJwk
      const point = Buffer.concat([Buffer.of(4), ...[x, y].map((c) => Buffer.from(c, 'base64url'))])
      const answer = await build('P-256', toHex(point))
      expectRegistryRefusal(answer, 400, 'UNSUPPORTED')
    })
    await step('With its private part it is rejected', async () => {
      const answer = await build('JsonWebKey2020', serialize({ ...publicJwk, d }))
      expectRegistryRefusal(answer, 400, 'validation_error')
    })
    await step('As a JWK it is registered, for assertions', async () => {
      const publicKey = serialize(publicJwk)
      const body = { ...method, publicKeyType: 'JsonWebKey2020', publicKey }
      await writeDid('addVerificationMethod', body, own)
      const use = { did, name: 'assertionMethod', vMethodId, ...usualValidity(context) }
      await writeDid('addVerificationRelationship', use, own)
    })
    await step('The document contains it with its curve', async () => {
      const document = expectPresent('the document', await didRegistry.resolve(did))
      expectEqual('assertionMethod', document.assertionMethod, [`${did}#${vMethodId}`])
      const found = document.verificationMethod.find(({ id }) => id === `${did}#${vMethodId}`)
      expectIncludes('the method', expectPresent('the method', found) as never, {
        type: 'JsonWebKey2020',
        publicKeyJwk: publicJwk,
      })
    })
    await step('It cannot become a control key', () =>
      expectRevert(
        'capabilityInvocation for a JWK',
        writeDid(
          'addVerificationRelationship',
          { did, name: 'capabilityInvocation', vMethodId, ...usualValidity(context) },
          own,
        ),
        'DidRegistryNotControlKey',
      ),
    )
  },
})

export const scenarios = [registerAndResolve, registeredOnce, p256]
