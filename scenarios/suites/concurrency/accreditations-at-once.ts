import { signerOf } from '#core/ethereum/account.ts'
import { submitAttributeMetadata } from '#core/registries/tir-client.ts'
import { attributeIdOf } from '#scenarios/fixtures/accreditations.ts'
import { createOwnIdentity } from '#scenarios/fixtures/own-dids.ts'
import { openRegistries, readReceipt } from '#scenarios/fixtures/registries.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectPresent } from '#scenarios/harness/expectations.ts'
import { atOnce, eventually } from '#scenarios/harness/waiting.ts'

const subjects = 6

export const scenario = defineScenario({
  id: 'concurrency/accreditations-at-once',
  title: 'A TAO accredits several at once with one account, and none gets lost',
  category: 'Concurrency',
  algorithms: ['EdDSA'],
  description: `
Several clerks of a TAO accredit ${subjects} organizations in the same moment, with the TAO's one
account. At the TIR an obsolete nonce is \`-32602\`, before anything is sent to the chain; whoever meets
it builds again. Every hash that was given out is a transaction that is mined with status \`0x1\`, and
all ${subjects} accreditations stand in the TIR.`,
  references: [
    { document: 'Document 2', section: 'Endpoints, TIR' },
    { document: 'Document 2', section: 'Errors, TIR' },
  ],

  async run(context) {
    const { step, environment } = context
    const { tao } = environment.trustChain
    const { tir } = openRegistries(context, 'tao')
    const attributes = Array.from({ length: subjects }, (_, index) => {
      const { did } = createOwnIdentity(context, `organization ${index}`)
      return { did, attributeId: attributeIdOf({ did }) }
    })
    const hashes = await step(`${subjects} organizations are accredited at once`, () =>
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
    await step('All of them stand in the TIR', async () => {
      for (const { did, attributeId } of attributes) {
        const read = await tir.readAttribute(did, attributeId)
        const { attribute } = expectPresent('the accreditation', read)
        expectEqual('issuerType', attribute.issuerType, 'TI')
      }
    })
  },
})
