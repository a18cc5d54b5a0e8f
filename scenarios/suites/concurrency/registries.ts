import { signerOf } from '#core/ethereum/account.ts'
import { signTransaction } from '#core/ethereum/transaction.ts'
import { submitDidTransaction } from '#core/registries/did-registry-client.ts'
import { submitAttributeMetadata } from '#core/registries/tir-client.ts'
import { attributeIdOf } from '#scenarios/fixtures/accreditations.ts'
import { createOwnIdentity, firstDocumentOf, registerDid } from '#scenarios/fixtures/own-dids.ts'
import {
  callDidRegistry,
  expectRegistryRefusal,
  openRegistries,
  readReceipt,
} from '#scenarios/fixtures/registries.ts'
import { cite, defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectIncludes, expectPresent } from '#scenarios/harness/expectations.ts'
import { atOnce, eventually } from '#scenarios/harness/waiting.ts'

const subjects = 6

const accreditationsAtOnce = defineScenario({
  id: 'concurrency/accreditations-at-once',
  title:
    'A TAO accredits several organizations at the same time with one account, and none is lost',
  algorithms: ['EdDSA'],
  description: `
Several clerks of a TAO accredit ${subjects} organizations at the same moment, with the TAO's only
account. The TIR answers an obsolete nonce with \`-32602\` before it sends anything to the chain, and the
client builds the transaction again. Each hash that the TIR returns belongs to a transaction that is
mined with status \`0x1\`, and the TIR contains all ${subjects} accreditations.`,
  references: cite('Profile: 2.endpoints/tir', 'Profile: 2.errors/tir'),

  async run(context) {
    const { step, environment } = context
    const { tao } = environment.trustChain
    const { tir } = openRegistries(context, 'tao')
    const attributes = Array.from({ length: subjects }, (_, index) => {
      const { did } = createOwnIdentity(context, `organization ${index}`)
      return { did, attributeId: attributeIdOf({ did }) }
    })
    const hashes = await step(`${subjects} organizations are accredited at the same time`, () =>
      atOnce(subjects, (index) => {
        const above = { taoDid: tao.did, attributeIdTao: tao.attributeId }
        const own = expectPresent('the organization', attributes[index])
        const metadata = { ...own, issuerType: 'TI', ...above } as const
        return submitAttributeMetadata({ tir }, metadata, signerOf(tao.privateKey))
      }),
    )
    await step('Every hash is a transaction that succeeded', async () => {
      expectEqual('the number of different hashes', new Set(hashes).size, subjects)
      for (const hash of hashes) {
        const ask = async () => (await readReceipt(context, hash)) ?? undefined
        const { status } = await eventually(`the receipt of ${hash}`, ask, context)
        expectEqual('the status', status, '0x1')
      }
    })
    await step('The TIR contains all of them', async () => {
      for (const { did, attributeId } of attributes) {
        const read = await tir.readAttribute(did, attributeId)
        const { attribute } = expectPresent('the accreditation', read)
        expectEqual('issuerType', attribute.issuerType, 'TI')
      }
    })
  },
})

const nonceRace = defineScenario({
  id: 'concurrency/nonce-race',
  title:
    'Of two updates that were built for the same nonce, one is applied and the other is rejected',
  algorithms: ['ES256K'],
  description: `
Two desks of an organization have an update built at the same time: both transactions have the same
nonce, the account's next one. Both are sent at the same moment. One is applied; the response to the
other is 400 with \`invalid_nonce\`, whose text says to build it again. Built again, it is applied too.

Without this rule an account could lose a write without noticing.`,
  references: cite('Profile: 2.errors/did-registry.4', 'Assumptions: A-10, A-11'),

  async run(context) {
    const { step } = context
    const { didRegistry } = openRegistries(context)
    const own = await step('An organization registers a DID', () =>
      registerDid(context, 'organization', { isForAssertions: false }),
    )
    const { did, address: from, privateKey } = own
    const build = (alsoKnownAs: string) =>
      didRegistry.build('updateAlsoKnownAs', { did, alsoKnownAs, from })
    const names = ['urn:example:one', 'urn:example:two']
    const built = await step('Two desks have an update built', async () => {
      const both = await Promise.all(names.map(build))
      expectEqual('their nonces', both[0]?.nonce, both[1]?.nonce)
      return both
    })
    const loser = await step(
      'Both are sent at the same time: one is applied, the other rejected',
      async () => {
        const answers = await Promise.all(
          built.map((unsigned) =>
            callDidRegistry(context, 'transactions/send', {
              json: { signedRawTransaction: signTransaction(unsigned, privateKey).raw },
            }),
          ),
        )
        const statuses = answers.map(({ status }) => status)
        expectEqual('the statuses', [...statuses].sort(), [200, 400])
        const refused = statuses.indexOf(400)
        const refusal = expectPresent('the refusal', answers[refused])
        expectRegistryRefusal(refusal, 400, 'invalid_nonce')
        return expectPresent('the refused name', names[refused])
      },
    )
    await step('Built again, the other update is applied too', async () => {
      const { raw } = signTransaction(await build(loser), privateKey)
      expectEqual('the transaction', (await didRegistry.send(raw)).state, 'applied')
      const document = expectPresent('the document', await didRegistry.resolve(did))
      expectEqual('alsoKnownAs', document.alsoKnownAs, [loser])
    })
  },
})

const clerks = 5

const oneDidManyRegistrations = defineScenario({
  id: 'concurrency/one-did-many-registrations',
  title: 'Of several simultaneous registrations of one DID, exactly one is applied',
  algorithms: ['EdDSA'],
  description: `
${clerks} clerks register the same DID at the same moment, all with the account of the onboarding node.
Their transactions compete for its nonce. A clerk who loses has the transaction built again, as a real
client does. In the end exactly one is applied and the others revert, and the registry has the DID
once, as the first one wrote it.`,
  references: cite(
    'Profile: 2.states-and-transitions.1',
    'Profile: 2.errors/did-registry.4',
    'Assumptions: A-11',
  ),

  async run(context) {
    const { step, environment } = context
    const { didRegistry } = openRegistries(context)
    const own = createOwnIdentity(context)
    const nameOf = (index: number) => `urn:example:clerk-${index}`

    const states = await step(`${clerks} clerks register one DID at the same time`, () =>
      atOnce(clerks, async (index) => {
        const body = { ...firstDocumentOf(context, own), alsoKnownAs: nameOf(index) }
        const sent = await submitDidTransaction(
          { didRegistry },
          'insertFirstDidDocument',
          body,
          environment.onboardingNode,
        )
        return sent.state
      }),
    )
    await step('Exactly one is applied', () => {
      const applied = states.filter((state) => state === 'applied').length
      const reverted = states.filter((state) => state === 'reverted').length
      expectIncludes('the outcomes', { applied, reverted }, { applied: 1, reverted: clerks - 1 })
    })
    await step('The DID has the document of that registration', async () => {
      const document = expectPresent('the document', await didRegistry.resolve(own.did))
      const winner = states.indexOf('applied')
      expectEqual('alsoKnownAs', document.alsoKnownAs, [nameOf(winner)])
    })
  },
})

export const scenarios = [accreditationsAtOnce, nonceRace, oneDidManyRegistrations]
