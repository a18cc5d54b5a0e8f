import { createOwnIssuer } from '#scenarios/fixtures/accreditations.ts'
import { giveOwnCredential } from '#scenarios/fixtures/held-credentials.ts'
import { expectLoginRefused, logIn } from '#scenarios/fixtures/log-in.ts'
import { createOwnIdentity, firstDocumentOf, registerDid } from '#scenarios/fixtures/own-dids.ts'
import { expectRevert, openRegistries } from '#scenarios/fixtures/registries.ts'
import { cite, defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectPresent } from '#scenarios/harness/expectations.ts'

const controllers = defineScenario({
  id: 'key-lifecycle/controllers',
  title: 'A second controller can write until it is removed, and the last one cannot be removed',
  algorithms: ['ES256K'],
  description: `
An administrator must not write another organization's document: the transaction reverts. The
organization adds the administrator as a controller, and then it can. The document lists the addresses
of both.

Adding a controller twice reverts, and so does removing an unknown one. After its removal, it can no
longer write. The last controller cannot be removed, since the document could no longer be written.`,
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

    await step('The administrator cannot write', () =>
      expectRevert('the update', rename('urn:refused'), 'DidRegistryNotController'),
    )
    await step('The organization adds it as a controller, and now it can write', async () => {
      await change('addController', administrator.did)
      await rename('urn:example:renamed')
      const names = await expectControllers(own.address, administrator.address)
      expectEqual('alsoKnownAs', names, ['urn:example:renamed'])
    })
    await step('It cannot be added twice', () =>
      expectRevert(
        'adding it again',
        change('addController', administrator.did),
        'DidRegistryControllerAlreadyAdded',
      ),
    )
    await step('The organization removes it, and it can no longer write', async () => {
      // By its address, which identifies the DID that its key registered.
      await change('revokeController', administrator.address)
      await expectRevert('the update', rename('urn:refused'), 'DidRegistryNotController')
      await expectControllers(own.address)
    })
    await step('An unknown controller cannot be removed', () =>
      expectRevert(
        'removing it again',
        change('revokeController', administrator.did),
        'DidRegistryControllerNotAdded',
      ),
    )
    await step('The last controller cannot be removed', () =>
      expectRevert(
        'removing the last one',
        change('revokeController', did),
        'DidRegistryLastController',
      ),
    )
  },
})

const controlKeyReplaced = defineScenario({
  id: 'key-lifecycle/control-key-replaced',
  title: 'A controller replaces the document and its control key, and the old key loses control',
  algorithms: ['ES256K'],
  description: `
\`insertDidDocument\` is authorized against the current controller, not the onboarding list: the
onboarding node's transaction reverts, and the organization's is applied. The document now has the new
control key and the new context.

The former key can no longer write, the new one can. alsoKnownAs does not change.`,
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
    await step('The former key can no longer write', () =>
      expectRevert('the update', rename(own), 'DidRegistryNotController'),
    )
    await step('The new key can', () => rename(key))
  },
})

const lockedDid = defineScenario({
  id: 'key-lifecycle/locked-did',
  title: 'A DID whose only key is revoked can still be read, but not written',
  algorithms: ['EdDSA'],
  description: `
An issuer withdraws: it revokes its only key, which is also its control key, as of an hour ago. This is
allowed and locks the DID: neither the issuer nor the operator can add a key to it.

The document still exists, without keys. Everything that the key signed within that hour is
rejected, although the issuer's accreditation is still valid.`,
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
    await step('The document still exists, without a key', async () => {
      const document = expectPresent('the document', await didRegistry.resolve(did))
      expectEqual('its keys', document.verificationMethod, [])
      expectEqual('assertionMethod', document.assertionMethod, [])
    })
    await step('The document can no longer be written', async () => {
      const method = { did, vMethodId: 'A'.repeat(43), publicKeyType: 'secp256k1', publicKey }
      for (const signer of [issuer, environment.operator]) {
        const written = writeDid('addVerificationMethod', method, signer)
        await expectRevert('a new key', written, 'DidRegistryNotController')
      }
    })
    await step('A credential that the key signed after that time does not log in', () =>
      expectLoginRefused(context, wallet, 'credential.issuer-key', 'credential.signature'),
    )
  },
})

export const scenarios = [controllers, controlKeyReplaced, lockedDid]
