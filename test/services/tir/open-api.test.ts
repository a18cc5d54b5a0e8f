import { Wallet } from 'ethers'
import { describe, expect, it } from 'vitest'
import { startRegistryChain } from '#test/support/chain.ts'
import { controlKeyOf } from '#test/support/contracts.ts'
import { didKeyOf } from '#test/support/create-did-key.ts'
import { send } from '#test/support/http.ts'
import {
  findAnswerProblems,
  findExampleProblems,
  findOpenApiProblems,
  listExamples,
  type OpenApiDocument,
  type Operation,
} from '#test/support/open-api.ts'
import { type RpcAnswer, startTir, tirApiKey } from '#test/support/registries.ts'

// The examples' contract address is that of the second contract of this well-known account.
const deployer = didKeyOf('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
const subject = didKeyOf(`0x${'1'.padStart(64, '0')}`)
const tao = didKeyOf('0x4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318')
const rpcPath = '/trusted-issuers-registry/v1/jsonrpc'
const readPath = '/trusted-issuers-registry/v1/issuers/{did}/attributes/{attributeId}'

interface RpcRequest {
  readonly method: string
  readonly params: readonly Readonly<Record<string, unknown>>[]
}

const chain = await startRegistryChain('did:org:uc-pre:', deployer)
const tir = await startTir(chain)
const document = (await tir.get<OpenApiDocument>('/api-docs/openapi.json')).body

const operationAt = (path: string) =>
  (document.paths[path]?.post ?? document.paths[path]?.get) as Operation
const exampleOf = (path: string, place: string) =>
  listExamples(operationAt(path)).examples.find(({ name }) => name.startsWith(place))?.value
const requestOf = (method: string) =>
  exampleOf(rpcPath, `request application/json ${method}`) as RpcRequest

async function ask(body: string, headers: Record<string, string> = {}) {
  const answer = await send(`${tir.baseUrl}/v1/jsonrpc`, {
    headers: { 'x-api-key': tirApiKey, ...headers },
    body,
  })
  const type = answer.headers.get('content-type')
  const given = { status: answer.status, type, body: (await answer.json()) as RpcAnswer }
  expect(findAnswerProblems(operationAt(rpcPath), given)).toEqual([])
  return given
}

describe('the OpenAPI document of the TIR', () => {
  it('is valid OpenAPI 3.0.3 and names the API key', () => {
    expect(findOpenApiProblems(document)).toEqual([])
    expect(operationAt(rpcPath).security).toEqual([{ apiKey: [] }])
  })

  it('has a valid example of every request and response', () => {
    expect(findExampleProblems(document)).toEqual([])
  })
})

// @row 2.endpoints/tir.10..12 2.endpoints/tir.17
it('the documented examples publish an accreditation', async () => {
  for (const key of [subject, tao]) {
    const args = [key.did, '', controlKeyOf(key), 'urn:x']
    await chain.sendDirectly(chain.node, chain.registry, 'insertFirstDidDocument', ...args)
  }
  const metadata = requestOf('setAttributeMetadata').params[0]
  const { attributeIdTao } = metadata as { attributeIdTao: string }
  const root = [tao.did, attributeIdTao, 1, tao.did, attributeIdTao]
  await chain.sendDirectly(deployer, chain.tir, 'setAttributeMetadata', ...root)

  // The example is built for the subject, but the registry lets the TAO publish.
  const build = {
    ...requestOf('setAttributeMetadata'),
    params: [{ ...metadata, from: tao.address }],
  }
  const { body } = await ask(JSON.stringify(build))
  const sending = await tir.sign(tao, body.result as never)
  await tir.call('sendSignedTransaction', sending)
  // Raises the nonce of the subject's account to that of the example.
  await chain.sendDirectly(subject, chain.registry, 'updateAlsoKnownAs', subject.did, 'urn:y')

  const built = await ask(JSON.stringify(requestOf('setAttributeData')))
  expect(built.body).toEqual({
    ...(exampleOf(rpcPath, '200 application/json setAttributeData') as object),
    result: {
      ...(exampleOf(rpcPath, '200 application/json setAttributeData') as { result: object }).result,
      gasLimit: expect.stringMatching(/^0x[0-9a-f]+$/),
    },
  })
  const sent = await ask(JSON.stringify(requestOf('sendSignedTransaction')))
  expect(sent.body).toEqual(exampleOf(rpcPath, '200 application/json sendSignedTransaction'))
  const read = await tir.read(subject.did, '0x'.padEnd(66, 'ab'))
  expect(read).toEqual({ status: 200, body: exampleOf(readPath, '200') })
})

it('every rejection is documented', async () => {
  const body = JSON.stringify(requestOf('setAttributeData'))
  const foreign = new Wallet(`0x${'9'.repeat(64)}`).address
  expect((await ask('{')).status).toBe(400)
  expect((await ask(body, { 'x-api-key': 'x' })).status).toBe(401)
  expect((await ask(body, { 'content-type': 'text/plain' })).status).toBe(415)
  expect((await ask(' '.repeat(2 * 1024 * 1024))).status).toBe(413)
  for (const message of [[], [1], {}, { ...requestOf('setAttributeData'), method: 'x' }]) {
    expect((await ask(JSON.stringify(message))).status).toBe(200)
  }
  const elsewhere = { ...requestOf('setAttributeData'), params: [{ from: foreign }] }
  expect((await ask(JSON.stringify(elsewhere))).body.error?.code).toBe(-32602)
  for (const [path, status] of [
    [`/v1/issuers/${subject.did}/attributes/xyz`, 400],
    [`/v1/issuers/${subject.did}/attributes/ee`, 404],
  ] as const) {
    const answer = await tir.get(path)
    expect(answer.status).toBe(status)
    const given = { ...answer, type: 'application/json' }
    expect(findAnswerProblems(operationAt(readPath), given)).toEqual([])
  }
})
