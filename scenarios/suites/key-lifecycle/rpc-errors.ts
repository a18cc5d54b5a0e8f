import { callTir, expectRpcError } from '#scenarios/fixtures/registries.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectStatus, expectTrue } from '#scenarios/harness/expectations.ts'

const call = (method: string, params: unknown = [{}], id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
})

export const scenario = defineScenario({
  id: 'key-lifecycle/rpc-errors',
  title: 'The TIR answers what it cannot do with the codes of JSON-RPC',
  category: 'Key lifecycle',
  algorithms: ['EdDSA'],
  description: `
A client that speaks JSON-RPC badly learns what is wrong from the code, under the id of its own
request:

- \`-32700\` for what is no JSON, with the id \`null\`: it can't be read,
- \`-32600\` for JSON that is no request, and for an API key that is missing or unknown,
- \`-32601\` for a method that does not exist,
- \`-32602\` for parameters that lack something.

The key comes first for everything that can be read: who has none does not learn which methods there
are. A batch is answered member by member, a notification not at all.`,
  references: [
    { document: 'Document 2', section: 'Errors, TIR' },
    { document: 'Document 2', section: 'Authentication' },
    { document: 'Assumptions', section: 'A-25' },
  ],

  async run(context) {
    const { step } = context
    await step('What is no JSON is a parse error', async () => {
      for (const body of ['{"jsonrpc":', 'hello', '']) {
        expectRpcError(await callTir(context, body), -32700, { id: null, status: 400 })
      }
    })
    await step('Without a valid key nothing else is told', async () => {
      for (const key of ['', 'not-a-key-of-this-registry', 'x'.repeat(500)]) {
        const answer = await callTir(context, call('noSuchMethod', [{}], 'mine'), key)
        expectRpcError(answer, -32600, { id: 'mine', status: 401 })
      }
    })
    await step('What is no request is an invalid one', async () => {
      const { jsonrpc: _, ...withoutVersion } = call('setAttributeData')
      expectRpcError(await callTir(context, withoutVersion), -32600)
      const ofVersionOne = { ...withoutVersion, jsonrpc: '1.0' }
      expectRpcError(await callTir(context, ofVersionOne), -32600)
      expectRpcError(await callTir(context, []), -32600, { id: null })
      expectRpcError(await callTir(context, '"hello"'), -32600, { id: null })
    })
    await step('A method that does not exist is told', async () => {
      for (const method of ['eth_sendRawTransaction', 'setattributedata', 'constructor']) {
        expectRpcError(await callTir(context, call(method)), -32601)
      }
    })
    await step('Parameters that lack something are told', async () => {
      for (const method of ['setAttributeMetadata', 'setAttributeData', 'sendSignedTransaction']) {
        for (const params of [[], [{}], [{ from: '0x00' }]]) {
          expectRpcError(await callTir(context, call(method, params, 'a')), -32602, { id: 'a' })
        }
      }
    })
    await step('A batch is answered member by member, a notification not at all', async () => {
      const { id: _, ...notification } = call('noSuchMethod')
      const answer = await callTir(context, [call('noSuchMethod', [{}], 7), notification])
      const { json } = expectStatus(answer, 200)
      const answers = json as readonly { id: unknown; error: { code: number } }[]
      expectTrue('there is one answer', Array.isArray(json) && answers.length === 1, json)
      expectEqual('its id', answers[0]?.id, 7)
      expectEqual('its code', answers[0]?.error.code, -32601)
      expectEqual('the body', (await callTir(context, notification)).text, '')
    })
  },
})
