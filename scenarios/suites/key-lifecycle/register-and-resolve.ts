import { createOwnIdentity, registerDid } from '#scenarios/fixtures/own-dids.ts'
import { callDidRegistry, expectRegistryRefusal } from '#scenarios/fixtures/registries.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectIncludes, expectJson } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'key-lifecycle/register-and-resolve',
  title: 'An organization registers its DID, and anybody resolves it',
  category: 'Key lifecycle',
  algorithms: ['ES256K'],
  description: `
Before, the registry knows nothing: 404. The onboarding node sends the organization's first document,
and the organization itself adds \`assertionMethod\` to its key: built by the API, signed offline,
sent.

The DID document is in the W3C form: the key as \`publicKeyJwk\` of type \`JsonWebKey2020\` under
\`<did>#<vMethodId>\`, the address of the key as controller, the alternative identifier, and the
relationships.`,
  references: [
    { document: 'Document 2', section: 'States and transitions, row 1' },
    { document: 'Document 2', section: 'DID document (resolution result, W3C form)' },
    { document: 'Assumptions', section: 'A-02, A-09' },
  ],

  async run(context) {
    const { step, uniqueName } = context
    const { did } = createOwnIdentity(context)
    const path = `identifiers/${encodeURIComponent(did)}`

    await step('Before, nobody can resolve the DID', async () => {
      expectRegistryRefusal(await callDidRegistry(context, path), 404)
    })
    const own = await step('The organization registers it', () => registerDid(context))
    await step('Anybody resolves it', async () => {
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
