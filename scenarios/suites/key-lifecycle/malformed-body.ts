import { createDid } from '#core/did/did-proof.ts'
import { createOwnIdentity, firstDocumentOf, ownPrivateKey } from '#scenarios/fixtures/own-dids.ts'
import { callDidRegistry, expectRegistryRefusal } from '#scenarios/fixtures/registries.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectIncludes, expectJson } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'key-lifecycle/malformed-body',
  title: 'The registry builds nothing out of a body that is not of the documented form',
  category: 'Key lifecycle',
  algorithms: ['EdDSA'],
  description: `
A complete first document is built: an unsigned transaction with every documented member, value 0.
Then one member at a time is left out, or has another form: a \`vMethodId\` of 42 characters, a key
without 0x04 or as a JWK, a proof of 64 bytes, a validity that ends before it begins, a DID of the
other environment. Each answers 400 with \`validation_error\`.`,
  references: [
    { document: 'Document 2', section: 'Endpoints, DID registry, insertFirstDidDocument body' },
    { document: 'Document 2', section: 'Unsigned transaction' },
    { document: 'Document 2', section: 'Limits' },
  ],

  async run(context) {
    const { step, environment, now } = context
    const own = createOwnIdentity(context)
    const elsewhere = own.did.startsWith('did:org:uc-pre:') ? 'pro' : 'pre'
    const complete: Readonly<Record<string, unknown>> = {
      ...firstDocumentOf(context, own),
      from: environment.onboardingNode.address,
    }
    const build = (json: unknown) =>
      callDidRegistry(context, 'contract/insertFirstDidDocument', { json })

    await step('A complete body is built', async () => {
      const { chainId, didRegistryAddress } = environment.chain
      const { to, ...transaction } = expectJson(await build(complete), 200)
      expectIncludes('the transaction', transaction, { chainId, value: '0x0', gasPrice: '0x0' })
      const address = String(to).toLowerCase()
      expectIncludes('the receiver', { address }, { address: didRegistryAddress.toLowerCase() })
    })
    await step('No member may be missing', async () => {
      for (const name of Object.keys(complete)) {
        const { [name]: _, ...rest } = complete
        expectRegistryRefusal(await build(rest), 400, 'validation_error')
      }
    })
    await step('No member may have another form', async () => {
      for (const changed of [
        { vMethodId: own.vMethodId.slice(1) },
        { vMethodId: `${own.vMethodId}=` },
        { publicKey: `0x${own.publicKey.slice(4)}` },
        { publicKey: own.publicKey.replace('0x04', '0x05') },
        { publicKeyType: 'JsonWebKey2020' },
        { publicKeyType: 'Ed25519' },
        { proof: own.proof.slice(0, -2) },
        { proof: own.proof.slice(2) },
        { notBefore: now(), notAfter: now() - 1 },
        { notAfter: String(now() + 1000) },
        { did: createDid(ownPrivateKey(context, 'organization'), elsewhere).did },
        { did: 'did:web:example.org' },
        { from: '0x12' },
        { baseDocument: '{"@context"' },
      ]) {
        const answer = await build({ ...complete, ...changed })
        expectRegistryRefusal(answer, 400, 'validation_error')
      }
    })
    await step('What is no JSON is refused as well', async () => {
      const answer = await callDidRegistry(context, 'contract/insertFirstDidDocument', {
        method: 'POST',
        body: '{"did":',
        headers: { 'content-type': 'application/json' },
      })
      expectRegistryRefusal(answer, 400, 'validation_error')
    })
  },
})
