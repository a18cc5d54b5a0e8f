import { createDid } from '#core/did/did-proof.ts'
import { createOwnIdentity, ownPrivateKey, registerDid } from '#scenarios/fixtures/own-dids.ts'
import { callDidRegistry, expectRegistryRefusal } from '#scenarios/fixtures/registries.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectIncludes,
  expectJson,
  expectStatus,
  expectTrue,
} from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'key-lifecycle/reading',
  title: 'Documents come in the form that is asked for, lists page by page',
  category: 'Key lifecycle',
  algorithms: ['EdDSA'],
  description: `
\`application/did+ld+json\` and \`application/did+json\` are served, each as itself; any other
\`Accept\` is 406. A malformed identifier, or one of the other environment, is 400; a good one that
nobody registered is 404.

The list of identifiers has ten to a page unless something else is asked for; the pages together are
all of them, each once. Page 0, and a page that is too large, are 400.`,
  references: [
    { document: 'Document 2', section: 'Endpoints, DID registry' },
    { document: 'Document 2', section: 'Errors, DID registry, resolution' },
    { document: 'Document 2', section: 'Limits' },
    { document: 'Assumptions', section: 'A-13' },
  ],

  async run(context) {
    const { step } = context
    const { did } = await step('An organization registers a DID', () =>
      registerDid(context, 'organization', { isForAssertions: false }),
    )
    const resolve = (identifier: string, accept?: string) =>
      callDidRegistry(context, `identifiers/${encodeURIComponent(identifier)}`, {
        headers: accept === undefined ? {} : { accept },
      })
    await step('The document comes in both forms', async () => {
      for (const type of ['application/did+ld+json', 'application/did+json']) {
        const answer = expectStatus(await resolve(did, type), 200)
        expectEqual('the content type', answer.contentType, type)
      }
    })
    await step('In another form it is not to be had', async () => {
      for (const accept of ['text/html', 'application/did+ld+json;q=0', 'image/*']) {
        expectRegistryRefusal(await resolve(did, accept), 406)
      }
    })
    await step('What is no DID of this registry is refused', async () => {
      const other = did.startsWith('did:org:uc-pre:') ? 'pro' : 'pre'
      const elsewhere = createDid(ownPrivateKey(context, 'organization'), other).did
      for (const identifier of ['hello', 'did:key:z6Mk', `${did}#key`, `${did}0`, elsewhere]) {
        expectRegistryRefusal(await resolve(identifier), 400)
      }
      const unknown = createOwnIdentity(context, 'nobody').did
      expectRegistryRefusal(await resolve(unknown), 404)
    })
    await step('The list has it, once', async () => {
      const first = expectJson(await callDidRegistry(context, 'identifiers'), 200)
      const total = Number(first.total)
      expectIncludes('the first page', first, { page: 1, pageSize: 10 })
      expectTrue('the first page is full or all', first.howMany === Math.min(10, total), first)
      const found: unknown[] = []
      // Others register meanwhile: to the end, wherever that is by then.
      for (let page = 1; ; page += 1) {
        const path = `identifiers?page=${page}&pageSize=100`
        const { items, howMany } = expectJson(await callDidRegistry(context, path), 200)
        found.push(...(items as unknown[]))
        if (Number(howMany) < 100) break
      }
      const times = found.filter((each) => each === did).length
      expectEqual('how often it is in the list', times, 1)
    })
    await step('What is no page is refused', async () => {
      for (const query of ['page=0', 'page=-1', 'page=1.5', 'pageSize=0', 'pageSize=101']) {
        expectRegistryRefusal(await callDidRegistry(context, `identifiers?${query}`), 400)
      }
    })
  },
})
