import { signerOf } from '#core/ethereum/account.ts'
import { signTransaction } from '#core/ethereum/transaction.ts'
import { attributeIdOf } from '#scenarios/fixtures/accreditations.ts'
import { whileBroken } from '#scenarios/fixtures/outages.ts'
import { createOwnIdentity, registerDid } from '#scenarios/fixtures/own-dids.ts'
import {
  callDidRegistry,
  callTir,
  expectRegistryRefusal,
  expectRpcError,
  openRegistries,
} from '#scenarios/fixtures/registries.ts'
import {
  cite,
  defineScenario,
  oneAlgorithm,
  type Scenario,
} from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectPresent,
  expectStatus,
  expectTrue,
} from '#scenarios/harness/expectations.ts'

const outages = [
  {
    fault: 'chain-down',
    what: 'the chain is away',
    reading: 500,
    why: 'Reading is 500, not 404: what cannot be looked up is not absent.',
  },
  {
    fault: 'api-keys-down',
    what: 'the API key management does not answer',
    reading: 200,
    why: 'Reading goes on, as it needs no key.',
  },
] as const

function scenarioFor(
  { fault, what, reading, why }: (typeof outages)[number],
  index: number,
): Scenario {
  return defineScenario({
    id: `failures/accreditation-during-${fault}`,
    title: `The TIR takes no write while ${what}`,
    exclusive: true,
    algorithms: oneAlgorithm(index),
    description: `
A TAO wants to accredit somebody while **${what}**. The TIR answers \`-32603\`, an error of its own: the
request was right. A key that can't be checked counts as no key, and an answer that could not be asked
for is not invented. ${why}

Afterwards the same call builds a transaction, which is applied.`,
    references: cite('Profile: 2.errors/tir', 'Profile: 2.authentication'),

    async run(context) {
      const { step, environment, httpAs } = context
      const { tao, issuer } = environment.trustChain
      const { tir, writeMetadata } = openRegistries(context, 'tao')
      const subject = createOwnIdentity(context)
      const signer = signerOf(tao.privateKey)
      const metadata = {
        did: subject.did,
        attributeId: attributeIdOf(subject),
        issuerType: 'TI',
        taoDid: tao.did,
        attributeIdTao: tao.attributeId,
      } as const
      const { did, attributeId } = issuer
      const url = `${environment.tirBaseUrl}/v1/issuers/${did}/attributes/${attributeId}`

      await step(`A TAO accredits while ${what}`, () =>
        whileBroken(context, fault, async () => {
          const params = {
            from: signer.address,
            did: metadata.did,
            revisionId: `0x${metadata.attributeId}`,
            issuerType: 'TI',
            taoDid: tao.did,
            attributeIdTao: `0x${tao.attributeId}`,
          }
          const message = {
            jsonrpc: '2.0',
            id: 1,
            method: 'setAttributeMetadata',
            params: [params],
          }
          expectRpcError(await callTir(context, message), -32603)
          expectStatus(await httpAs('verifier').request(url), reading)
        }),
      )
      await step('Afterwards it can', async () => {
        await writeMetadata(metadata, signer)
        const read = await tir.readAttribute(metadata.did, metadata.attributeId)
        const { attribute } = expectPresent('the accreditation', read)
        expectEqual('issuerType', attribute.issuerType, 'TI')
      })
    },
  })
}

const chainAwayInTheMiddle = defineScenario({
  id: 'failures/chain-away-in-the-middle',
  title: 'A write that the chain interrupts is not told as done, and can be done afterwards',
  exclusive: true,
  algorithms: ['EdDSA'],
  description: `
An organization has an update built and signed when the chain goes away. Sending answers 500: no hash
is given for what nobody took. Building answers 500 as well, and resolving is 500, *not* 404: a
registry that can't look must not say that there is nothing.

With the chain back the document is as it was; the very same signed transaction is sent again and
applied.`,
  references: cite('Profile: 2.errors/did-registry', 'Profile: 2.states-and-transitions.8'),

  async run(context) {
    const { step, uniqueName } = context
    const { didRegistry } = openRegistries(context)
    const own = await step('An organization registers a DID', () =>
      registerDid(context, 'organization', { isForAssertions: false }),
    )
    const { did, address: from, privateKey } = own
    const alsoKnownAs = `urn:example:${uniqueName}`
    const body = { did, alsoKnownAs, from }
    const namesOf = async () =>
      expectPresent('the document', await didRegistry.resolve(did)).alsoKnownAs
    const { before, raw } = await step('It has an update built, and signs it', async () => {
      const unsigned = await didRegistry.build('updateAlsoKnownAs', body)
      return { before: await namesOf(), raw: signTransaction(unsigned, privateKey).raw }
    })
    await step('The chain is away: nothing can be sent, built or resolved', () =>
      whileBroken(context, 'chain-down', async () => {
        for (const [path, json] of [
          ['transactions/send', { signedRawTransaction: raw }],
          ['contract/updateAlsoKnownAs', body],
          [`identifiers/${encodeURIComponent(did)}`, undefined],
          ['identifiers', undefined],
        ] as const) {
          const answer = await callDidRegistry(context, path, json === undefined ? {} : { json })
          expectRegistryRefusal(answer, 500)
          expectTrue(`${path} gives no hash`, !answer.text.includes('tx_hash'), answer.text)
        }
      }),
    )
    await step('With the chain back, the same transaction is applied', async () => {
      expectEqual('alsoKnownAs', await namesOf(), before)
      expectEqual('the transaction', (await didRegistry.send(raw)).state, 'applied')
      expectEqual('alsoKnownAs', await namesOf(), [alsoKnownAs])
    })
  },
})

export const scenarios = [...outages.map(scenarioFor), chainAwayInTheMiddle]
