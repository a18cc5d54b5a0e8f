import { createOwnIssuer } from '#scenarios/fixtures/accreditations.ts'
import { giveOwnCredential } from '#scenarios/fixtures/held-credentials.ts'
import { expectLoginRefused, logIn } from '#scenarios/fixtures/log-in.ts'
import { createOwnIdentity, firstDocumentOf, registerDid } from '#scenarios/fixtures/own-dids.ts'
import { expectRevert, openRegistries } from '#scenarios/fixtures/registries.ts'
import { cite, defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectPresent } from '#scenarios/harness/expectations.ts'

const controllers = defineScenario({
  id: 'key-lifecycle/controllers',
  title: 'A second controller may write until it is taken away, and the last one stays',
  algorithms: ['ES256K'],
  description: `
An administrator may not write another organization's document: the transaction reverts. The
organization adds it as a controller, and now it may. The document lists the addresses of both.

Adding it twice reverts, as does taking away one that is not there. Once it is taken away again it may
no longer write, and the last controller can't be taken away at all: nobody could write any more.`,
  references: cite(
    'Profile: 2.authentication',
    'Profile: 2.resources-and-their-fields/did-document',
    'Assumptions: A-03, A-05',
  ),
  needs: ['revert-reasons'],

  async run(context) {
    const { step } = context
    const { writeDid, didRegistry } = openRegistries(context)
    const [own, administrator] = await step('An organization and an administrator register', () =>
      Promise.all([
        registerDid(context, 'organization', { isForAssertions: false }),
        registerDid(context, 'administrator', { isForAssertions: false }),
      ]),
    )
    const { did } = own
    const rename = (alsoKnownAs: string) =>
      writeDid('updateAlsoKnownAs', { did, alsoKnownAs }, administrator)
    const change = (operation: string, controller: string) =>
      writeDid(operation, { did, controller }, own)
    const expectControllers = async (...expected: string[]) => {
      const { controller, alsoKnownAs } = expectPresent(
        'the document',
        await didRegistry.resolve(did),
      )
      expectEqual('its controllers', [...controller].sort(), [...expected].sort())
      return alsoKnownAs
    }

    await step('The administrator may not write', () =>
      expectRevert('the update', rename('urn:refused'), 'DidRegistryNotController'),
    )
    await step('The organization adds it as a controller, and now it may', async () => {
      await change('addController', administrator.did)
      await rename('urn:example:renamed')
      const names = await expectControllers(own.address, administrator.address)
      expectEqual('alsoKnownAs', names, ['urn:example:renamed'])
    })
    await step('It is not added twice', () =>
      expectRevert(
        'adding it again',
        change('addController', administrator.did),
        'DidRegistryControllerAlreadyAdded',
      ),
    )
    await step('The organization takes it away, and it may no longer write', async () => {
      // By its address, which stands for the DID that its key registered.
      await change('revokeController', administrator.address)
      await expectRevert('the update', rename('urn:refused'), 'DidRegistryNotController')
      await expectControllers(own.address)
    })
    await step('Who is not there is not taken away', () =>
      expectRevert(
        'taking it away again',
        change('revokeController', administrator.did),
        'DidRegistryControllerNotAdded',
      ),
    )
    await step('The last controller stays', () =>
      expectRevert(
        'taking away the last one',
        change('revokeController', did),
        'DidRegistryLastController',
      ),
    )
  },
})

const controlKeyReplaced = defineScenario({
  id: 'key-lifecycle/control-key-replaced',
  title: 'A controller replaces the document and its control key, and the old key is done',
  algorithms: ['ES256K'],
  description: `
\`insertDidDocument\` is authorised against the current controller, not the onboarding list: the
onboarding node's transaction reverts, that of the organization is applied. The document now has the
new control key and the new context.

The former key may no longer write, the new one may; alsoKnownAs stays what it was.`,
  references: cite(
    'Profile: 2.states-and-transitions.2',
    'Profile: 2.endpoints/did-registry',
    'Assumptions: A-02, A-05',
  ),
  needs: ['revert-reasons'],

  async run(context) {
    const { step, environment, uniqueName } = context
    const { writeDid, didRegistry } = openRegistries(context)
    const own = await step('An organization registers a DID', () =>
      registerDid(context, 'organization', { isForAssertions: false }),
    )
    const { did } = own
    const key = createOwnIdentity(context, 'new control key')
    const { alsoKnownAs, ...document } = firstDocumentOf(context, key)
    const extra = `https://example.org/${uniqueName}`
    const contexts = ['https://www.w3.org/ns/did/v1', extra]
    const baseDocument = JSON.stringify({ '@context': contexts })
    const body = { ...document, did, baseDocument }
    const rename = (signer: typeof own) =>
      writeDid('updateAlsoKnownAs', { did, alsoKnownAs: 'urn:example:renamed' }, signer)

    await step('The onboarding node cannot replace it', () =>
      expectRevert(
        'the replacement',
        writeDid('insertDidDocument', body, environment.onboardingNode),
        'DidRegistryNotController',
      ),
    )
    await step('The organization can', async () => {
      await writeDid('insertDidDocument', body, own)
      const resolved = expectPresent('the document', await didRegistry.resolve(did))
      expectEqual('@context', resolved['@context'], contexts)
      expectEqual('alsoKnownAs', resolved.alsoKnownAs, [alsoKnownAs])
      const capability = resolved.capabilityInvocation
      expectEqual('the control key', capability, [`${did}#${key.vMethodId}`])
    })
    await step('The former key may no longer write', () =>
      expectRevert('the update', rename(own), 'DidRegistryNotController'),
    )
    await step('The new one may', () => rename(key))
  },
})

const lockedDid = defineScenario({
  id: 'key-lifecycle/locked-did',
  title: 'A DID whose only key is revoked can be read for good, and never written again',
  algorithms: ['EdDSA'],
  description: `
An issuer gives up: it revokes its only key, its control key as well, as of an hour ago. That is
allowed, and locks the DID: neither the issuer nor the operator can add a key to it any more.

The document stays and lists no key, and everything that the key signed within that hour is refused,
although the issuer's accreditation is as good as ever.`,
  references: cite('Profile: 2.states-and-transitions.4', 'Assumptions: A-05, A-07, A-08'),
  needs: ['revert-reasons'],

  async run(context) {
    const { step, environment } = context
    const { writeDid, didRegistry } = openRegistries(context)
    const wallet = context.createWallet()
    const issuer = await step('The TAO accredits an issuer, whose credential logs in', async () => {
      const own = await createOwnIssuer(context)
      await giveOwnCredential(context, own, wallet)
      await logIn(context, wallet)
      return own
    })
    const { did, vMethodId, publicKey } = issuer
    await step('It revokes its only key as of an hour ago', () =>
      writeDid(
        'revokeVerificationMethod',
        { did, vMethodId, notAfter: context.now() - 3600 },
        issuer,
      ),
    )
    await step('The document stays, without a key', async () => {
      const document = expectPresent('the document', await didRegistry.resolve(did))
      expectEqual('its keys', document.verificationMethod, [])
      expectEqual('assertionMethod', document.assertionMethod, [])
    })
    await step('Nobody can write it any more', async () => {
      const method = { did, vMethodId: 'A'.repeat(43), publicKeyType: 'secp256k1', publicKey }
      for (const signer of [issuer, environment.operator]) {
        const written = writeDid('addVerificationMethod', method, signer)
        await expectRevert('a new key', written, 'DidRegistryNotController')
      }
    })
    await step('What the key signed after that hour logs nobody in', () =>
      expectLoginRefused(context, wallet, 'credential.issuer-key', 'credential.signature'),
    )
  },
})

export const scenarios = [controllers, controlKeyReplaced, lockedDid]
