import { defineChecks } from '../../../kit/define-check.ts'
import { inconclusive } from '../../../kit/finding.ts'
import { addMethod } from '../add-method.ts'
import type { DidRegistryContext } from '../context.ts'
import { findWriteRefused } from '../find-write-refused.ts'

export const checks = defineChecks<DidRegistryContext>({
  'D08-revoke-controller': {
    title: 'A revoked controller can write no more',
    level: 'practice',
    expectation: 'refuse',
    rows: ['2.endpoints/did-registry.8', '2.authentication.1'],
    description:
      'Whoever leaves an organization must not change its DID afterwards. The body of revokeController is not shown in document 2: the kit sends {did, controller, from}.',
    sends:
      'addController and revokeController for another DID, then updateAlsoKnownAs signed by its key.',
    decides: 'The last write is refused or reverted, and the document is as before.',
    needs: ['onboarding-node'],
    async run({ registry }) {
      const [identity, second] = [await registry.register(), await registry.register()]
      const { did } = identity
      await registry.write('addController', { did, controller: second.did }, identity)
      await registry.write('revokeController', { did, controller: second.did }, identity)
      return findWriteRefused(registry, {
        what: 'A write by a revoked controller',
        operation: 'updateAlsoKnownAs',
        body: { did, alsoKnownAs: 'urn:oid:1.2.3' },
        signer: second,
        owner: identity,
        did,
      })
    },
  },
  'D25-register-by-stranger': {
    title: 'Nobody but an onboarding node registers a DID',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.states-and-transitions.1', '2.authentication.1', '2.endpoints/did-registry.26'],
    description: 'Otherwise anybody enters the ecosystem, as whomever alsoKnownAs names.',
    sends: 'insertFirstDidDocument, built for, signed and sent by the new key’s own account.',
    decides:
      'It is reverted or refused, and the DID does not resolve, while the onboarding node registers one.',
    needs: ['onboarding-node'],
    async run({ registry }) {
      // A registry that registers nobody has not refused a stranger.
      await registry.register()
      const identity = registry.createIdentity()
      return findWriteRefused(registry, {
        what: 'A first document by an account that is no onboarding node',
        operation: 'insertFirstDidDocument',
        body: registry.firstDocumentOf(identity),
        signer: identity,
        did: identity.did,
      })
    },
  },
  'D26-register-twice': {
    title: 'A DID is registered once',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.states-and-transitions.1'],
    description:
      'A second first document would replace what the organization itself has changed since.',
    sends: 'insertFirstDidDocument again for a registered DID, with another alsoKnownAs.',
    decides: 'It is reverted or refused, and the document is as before.',
    needs: ['onboarding-node'],
    async run({ registry }) {
      const identity = await registry.register()
      return findWriteRefused(registry, {
        what: 'A second first document',
        operation: 'insertFirstDidDocument',
        body: registry.firstDocumentOf(identity, { alsoKnownAs: 'urn:oid:1.2.3:second' }),
        signer: registry.onboardingNode,
        did: identity.did,
      })
    },
  },
  'D27-alias-by-stranger': {
    title: 'Nobody but a controller or the operator changes alsoKnownAs',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.authentication.1'],
    description: 'With another organization’s identifier in it a DID passes for that organization.',
    sends: 'updateAlsoKnownAs signed by an account that does not control the DID.',
    decides:
      'It is reverted or refused, and the document is as before, while the controller’s own is applied.',
    needs: ['onboarding-node'],
    async run({ registry }) {
      const identity = await registry.register()
      const { did } = identity
      return findWriteRefused(registry, {
        what: 'updateAlsoKnownAs by a stranger',
        operation: 'updateAlsoKnownAs',
        body: { did, alsoKnownAs: 'urn:oid:1.2.3:stolen' },
        signer: registry.createIdentity(),
        owner: identity,
        did,
      })
    },
  },
  'D28-method-by-stranger': {
    title: 'Nobody but a controller adds a verification method',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.states-and-transitions.3', '2.authentication.1'],
    description: 'A key of a stranger’s in the document is the first step to signing in its name.',
    sends: 'addVerificationMethod signed by an account that does not control the DID.',
    decides: 'It is reverted or refused, while the controller’s own is applied.',
    needs: ['onboarding-node'],
    async run({ registry }) {
      const identity = await registry.register()
      const { did } = identity
      const stranger = registry.createIdentity()
      const { vMethodId, publicKey } = stranger
      return findWriteRefused(registry, {
        what: 'addVerificationMethod by a stranger',
        operation: 'addVerificationMethod',
        body: { did, vMethodId, publicKeyType: 'secp256k1', publicKey },
        signer: stranger,
        owner: identity,
        did,
      })
    },
  },
  'D29-relationship-by-stranger': {
    title: 'Nobody but a controller gives a method a use',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.authentication.1', '2.endpoints/did-registry.13'],
    description:
      'With a use in assertionMethod a key signs credentials in the organization’s name.',
    sends: 'addVerificationRelationship signed by an account that does not control the DID.',
    decides:
      'It is reverted or refused, and the document is as before, while the controller’s own is applied.',
    needs: ['onboarding-node'],
    async run({ registry, now }) {
      const identity = await registry.register()
      const { did, vMethodId } = identity
      const validity = { notBefore: now() - 60, notAfter: now() + 3600 }
      return findWriteRefused(registry, {
        what: 'addVerificationRelationship by a stranger',
        operation: 'addVerificationRelationship',
        body: { did, name: 'assertionMethod', vMethodId, ...validity },
        signer: registry.createIdentity(),
        owner: identity,
        did,
      })
    },
  },
  'D30-revocation-by-stranger': {
    title: 'Nobody but a controller revokes a key',
    level: 'practice',
    expectation: 'refuse',
    rows: ['2.authentication.1'],
    description:
      'A stranger who revokes an organization’s keys makes all of its credentials worthless. Deployed registries are laxer here, so this only warns.',
    sends: 'revokeVerificationMethod signed by an account that does not control the DID.',
    decides:
      'It is reverted or refused, and the document is as before, while the controller’s own is applied.',
    needs: ['onboarding-node'],
    async run({ registry, now }) {
      const identity = await registry.register()
      const { did, vMethodId } = identity
      return findWriteRefused(registry, {
        what: 'revokeVerificationMethod by a stranger',
        operation: 'revokeVerificationMethod',
        body: { did, vMethodId, notAfter: now() - 1 },
        signer: registry.createIdentity(),
        owner: identity,
        did,
      })
    },
  },
  'D31-controller-by-stranger': {
    title: 'Nobody but a controller adds a controller',
    level: 'practice',
    expectation: 'refuse',
    rows: ['2.authentication.1'],
    description:
      'Whoever can add a controller takes the DID over. Deployed registries are laxer here, so this only warns.',
    sends: 'addController with a registered DID of its own, signed by that DID’s account.',
    decides:
      'It is reverted or refused, and the document is as before, while the controller’s own is applied.',
    needs: ['onboarding-node'],
    async run({ registry }) {
      const identity = await registry.register()
      const { did } = identity
      const stranger = await registry.register()
      return findWriteRefused(registry, {
        what: 'addController by a stranger',
        operation: 'addController',
        body: { did, controller: stranger.did },
        signer: stranger,
        owner: identity,
        did,
      })
    },
  },
  'D32-document-by-onboarding-node': {
    title: 'An onboarding node does not replace the document of a registered DID',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.endpoints/did-registry.28', '2.states-and-transitions.2'],
    description:
      'Authorization is checked against the current controller and not the onboarding list: whoever may register organizations must not take over those that are registered.',
    sends: 'insertDidDocument with another key, signed by the onboarding node.',
    decides:
      'It is reverted or refused, and the document is as before, while the controller’s own is applied.',
    needs: ['onboarding-node'],
    async run({ registry }) {
      const identity = await registry.register()
      const { did } = identity
      const thief = registry.createIdentity()
      const { alsoKnownAs, ...body } = registry.firstDocumentOf(thief, { did })
      return findWriteRefused(registry, {
        what: 'insertDidDocument by the onboarding node',
        operation: 'insertDidDocument',
        body,
        signer: registry.onboardingNode,
        owner: identity,
        did,
      })
    },
  },
  'D33-replaced-key-has-no-control': {
    title: 'A control key that was replaced can write no more',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.states-and-transitions.2', '2.endpoints/did-registry.28'],
    description: 'The initial control key is rotated because it must not be used any longer.',
    sends: 'insertDidDocument with another key, then updateAlsoKnownAs signed by the replaced one.',
    decides:
      'The second write is reverted or refused, and the document is as before, while the new key may write.',
    needs: ['onboarding-node'],
    async run({ registry }) {
      const identity = await registry.register()
      const { did } = identity
      const successor = registry.createIdentity()
      const { alsoKnownAs, ...body } = registry.firstDocumentOf(successor, { did })
      await registry.write('insertDidDocument', body, identity)
      return findWriteRefused(registry, {
        what: 'A write by a replaced control key',
        operation: 'updateAlsoKnownAs',
        body: { did, alsoKnownAs: 'urn:oid:1.2.3:late' },
        signer: identity,
        owner: successor,
        did,
      })
    },
  },
  'D34-roll-by-stranger': {
    title: 'Nobody but a controller rolls a key',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.authentication.1', '2.endpoints/did-registry.12'],
    description: 'A stranger’s key would take over from the organization’s, with all of its uses.',
    sends: 'rollVerificationMethod to a stranger’s key, signed by the stranger.',
    decides:
      'It is reverted or refused, and the document is as before, while the controller’s own is applied.',
    needs: ['onboarding-node'],
    async run({ registry, now }) {
      const identity = await registry.register()
      const { did, vMethodId: oldVMethodId } = identity
      const stranger = registry.createIdentity()
      const { vMethodId, publicKey } = stranger
      const key = { vMethodId, publicKeyType: 'secp256k1', publicKey }
      const validity = { notBefore: now() - 10, notAfter: now() + 3600, duration: 60 }
      return findWriteRefused(registry, {
        what: 'rollVerificationMethod by a stranger',
        operation: 'rollVerificationMethod',
        body: { did, ...key, ...validity, oldVMethodId },
        signer: stranger,
        owner: identity,
        did,
      })
    },
  },
  'D35-context-by-stranger': {
    title: 'Nobody but a controller replaces the @context',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.authentication.1', '2.endpoints/did-registry.6'],
    description: 'With another @context the members of the document mean something else.',
    sends: 'updateBaseDocument signed by an account that does not control the DID.',
    decides:
      'It is reverted or refused, and the document is as before, while the controller’s own is applied.',
    needs: ['onboarding-node'],
    async run({ registry }) {
      const identity = await registry.register()
      const { did } = identity
      const baseDocument = JSON.stringify({ '@context': ['https://example.org/stranger/v1'] })
      return findWriteRefused(registry, {
        what: 'updateBaseDocument by a stranger',
        operation: 'updateBaseDocument',
        body: { did, baseDocument },
        signer: registry.createIdentity(),
        owner: identity,
        did,
      })
    },
  },
  'D76-did-of-another-proof': {
    title: 'A DID is not registered with a key that it was not derived from',
    level: 'practice',
    expectation: 'refuse',
    rows: ['2.endpoints/did-registry.17', '2.endpoints/did-registry.20'],
    description:
      'Otherwise a DID that somebody has announced is registered by somebody else first.',
    sends: 'insertFirstDidDocument for the DID of one key, with key and proof of another one.',
    decides: 'It is reverted or refused, and the DID does not resolve.',
    needs: ['onboarding-node'],
    async run({ registry }) {
      // A registry that registers nobody has refused nothing in particular.
      await registry.register()
      const { did } = registry.createIdentity()
      const thief = registry.createIdentity()
      return findWriteRefused(registry, {
        what: 'A first document with the key and proof of another DID',
        operation: 'insertFirstDidDocument',
        body: registry.firstDocumentOf(thief, { did }),
        signer: registry.onboardingNode,
        did,
      })
    },
  },
  'D77-proof-of-another-key': {
    title: 'A DID is not registered with a proof that the key did not make',
    level: 'practice',
    expectation: 'refuse',
    rows: ['2.endpoints/did-registry.20'],
    description: 'The proof shows that whoever registers the key holds it.',
    sends: 'insertFirstDidDocument with DID and proof of one key, and another public key.',
    decides: 'It is reverted or refused, and the DID does not resolve.',
    needs: ['onboarding-node'],
    async run({ registry }) {
      // A registry that registers nobody has refused nothing in particular.
      await registry.register()
      const identity = registry.createIdentity()
      const { publicKey, vMethodId } = registry.createIdentity()
      return findWriteRefused(registry, {
        what: 'A first document with a proof of another key',
        operation: 'insertFirstDidDocument',
        body: registry.firstDocumentOf(identity, { publicKey, vMethodId }),
        signer: registry.onboardingNode,
        did: identity.did,
      })
    },
  },
  'D80-expired-control-key': {
    title: 'A control key that has expired can write no more',
    level: 'practice',
    expectation: 'refuse',
    rows: ['2.states-and-transitions.5', '2.endpoints/did-registry.24', '2.authentication.1'],
    description: 'A key has an end so that losing it later does no harm.',
    sends:
      'expireVerificationMethod with a notAfter a minute ago for the only control key; then updateAlsoKnownAs signed by it.',
    decides:
      'The second write is reverted or refused, and the document is as before. A registry that takes no notAfter of the past decides nothing.',
    needs: ['onboarding-node'],
    async run({ registry, now }) {
      const identity = await registry.register()
      const { did, vMethodId } = identity
      const expiry = { did, vMethodId, notAfter: now() - 60 }
      const { isApplied, told } = await registry.attempt(
        'expireVerificationMethod',
        expiry,
        identity,
      )
      if (!isApplied) return inconclusive(`An expiry as of a minute ago ${told}`)
      return findWriteRefused(registry, {
        what: 'A write by an expired control key',
        operation: 'updateAlsoKnownAs',
        body: { did, alsoKnownAs: 'urn:oid:1.2.3:late' },
        signer: identity,
        did,
      })
    },
  },
  'D81-no-use-for-revoked-key': {
    title: 'A revoked key gets no new use',
    level: 'practice',
    expectation: 'refuse',
    rows: ['2.states-and-transitions.4'],
    description:
      'A compromised key that is given a new use is a compromised key that is valid again.',
    sends: 'revokeVerificationMethod for an added key, then addVerificationRelationship for it.',
    decides: 'The second write is reverted or refused, and the document is as before.',
    needs: ['onboarding-node'],
    async run({ registry, now }) {
      const identity = await registry.register()
      const { did } = identity
      const { publicKey } = registry.createIdentity()
      const vMethodId = await addMethod(registry, identity, {
        publicKeyType: 'secp256k1',
        publicKey,
      })
      const revocation = { did, vMethodId, notAfter: now() - 1 }
      await registry.write('revokeVerificationMethod', revocation, identity)
      const validity = { notBefore: now() - 60, notAfter: now() + 3600 }
      return findWriteRefused(registry, {
        what: 'A new use for a revoked key',
        operation: 'addVerificationRelationship',
        body: { did, name: 'assertionMethod', vMethodId, ...validity },
        signer: identity,
        did,
      })
    },
  },
})
