import { signTransaction, type UnsignedTransaction } from '#core/ethereum/transaction.ts'
import { createOwnIdentity, type OwnIdentity, registerDid } from '#scenarios/fixtures/own-dids.ts'
import {
  callDidRegistry,
  expectRegistryRefusal,
  openRegistries,
} from '#scenarios/fixtures/registries.ts'
import {
  defineScenario,
  oneAlgorithm,
  type Scenario,
  type ScenarioContext,
} from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectPresent } from '#scenarios/harness/expectations.ts'

interface RefusedTransaction {
  readonly name: string
  readonly title: string
  /** What was done to the transaction, as a sentence. */
  readonly what: string
  /** Makes the raw transaction out of what the registry built for its owner. */
  readonly sign: (
    unsigned: UnsignedTransaction,
    own: OwnIdentity,
    context: ScenarioContext,
  ) => string
  readonly error: string
  /** Where document 2 demands it; without it the assumption alone does. */
  readonly section?: string
}

const signed = (unsigned: UnsignedTransaction, { privateKey }: { privateKey: string }) =>
  signTransaction(unsigned, privateKey).raw

const cases: readonly RefusedTransaction[] = [
  {
    name: 'wrong-signer',
    title: 'A transaction that another key signed',
    what: 'Somebody else signs what was built for the organization: the key differs from `from`.',
    sign: (unsigned, _, context) => {
      const stranger = createOwnIdentity(context, 'stranger')
      return signed({ ...unsigned, from: stranger.address }, stranger)
    },
    error: 'invalid_signature',
    section: 'Errors, DID registry, wrong signature',
  },
  {
    name: 'stale-nonce',
    title: 'A transaction whose nonce was used before',
    what: 'The nonce is that of a transaction which has been mined already.',
    sign: (unsigned, own) => signed({ ...unsigned, nonce: '0x0', gasLimit: '0x493e0' }, own),
    error: 'invalid_nonce',
    section: 'Errors, DID registry, obsolete nonce',
  },
  {
    name: 'no-funds',
    title: 'A transaction that costs more than its signer has',
    what: 'The signer offers a price for gas that it cannot pay.',
    sign: (unsigned, own) => signed({ ...unsigned, gasPrice: '0xde0b6b3a7640000' }, own),
    error: 'insufficient_funds',
    section: 'Errors, DID registry, no funds for gas',
  },
  {
    name: 'other-chain',
    title: 'A transaction for another chain',
    what: 'It was signed for chain 1: replayed here it must do nothing.',
    sign: (unsigned, own) => signed({ ...unsigned, chainId: '0x1' }, own),
    error: 'validation_error',
  },
  {
    name: 'other-contract',
    title: 'A transaction to another contract',
    what: 'It goes to the TIR instead: the endpoint is no relay for whatever somebody signs.',
    sign: (unsigned, own, { environment }) =>
      signed({ ...unsigned, to: environment.chain.tirAddress }, own),
    error: 'validation_error',
  },
  {
    name: 'cut-off',
    title: 'A transaction that lost its end',
    what: 'Its last bytes are missing.',
    sign: (unsigned, own) => signed(unsigned, own).slice(0, -20),
    error: 'validation_error',
    section: 'Errors, DID registry, invalid body',
  },
  {
    name: 'not-hex',
    title: 'What is no transaction at all',
    what: 'A text stands where a transaction belongs.',
    sign: () => 'please add a name',
    error: 'validation_error',
    section: 'Errors, DID registry, invalid body',
  },
]

function scenarioFor(refused: RefusedTransaction, index: number): Scenario {
  const { name, title, what, sign, error, section } = refused
  return defineScenario({
    id: `key-lifecycle/refused-transaction-${name}`,
    title: `${title} is refused, and changes nothing`,
    category: 'Key lifecycle',
    algorithms: oneAlgorithm(index),
    description: `
The registry builds an update for an organization. ${what}

The send endpoint answers 400 with the code \`${error}\`, sends nothing to the chain, and the document
stays as it was. What was built is still good: signed as it should be, it is applied afterwards.`,
    references: [
      ...(section === undefined ? [] : [{ document: 'Document 2', section }]),
      { document: 'Assumptions', section: 'A-11' },
    ],

    async run(context) {
      const { step, uniqueName } = context
      const { didRegistry } = openRegistries(context)
      const own = await step('An organization registers a DID', () =>
        registerDid(context, 'organization', { isForAssertions: false }),
      )
      const { did } = own
      const namesOf = async () =>
        expectPresent('the document', await didRegistry.resolve(did)).alsoKnownAs
      const former = `urn:oid:organizationIdentifier:VATES-${uniqueName}`
      // Something to be stale to: its key has sent a transaction before.
      await step('It sends a first update', () =>
        openRegistries(context).writeDid('updateAlsoKnownAs', { did, alsoKnownAs: former }, own),
      )
      const unsigned = await step('The registry builds a second one', () => {
        const alsoKnownAs = `urn:example:${uniqueName}`
        return didRegistry.build('updateAlsoKnownAs', { did, alsoKnownAs, from: own.address })
      })
      await step(`${what.split(/[.:]/)[0]}: the registry refuses it`, async () => {
        const signedRawTransaction = sign(unsigned, own, context)
        const answer = await callDidRegistry(context, 'transactions/send', {
          json: { signedRawTransaction },
        })
        expectRegistryRefusal(answer, 400, error)
        expectEqual('alsoKnownAs', await namesOf(), [former])
      })
      await step('Signed as it should be, it is applied', async () => {
        const { state } = await didRegistry.send(signed(unsigned, own))
        expectEqual('the transaction', state, 'applied')
        expectEqual('alsoKnownAs', await namesOf(), [`urn:example:${uniqueName}`])
      })
    },
  })
}

export const scenarios = cases.map(scenarioFor)
