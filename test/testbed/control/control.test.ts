import { request } from 'node:http'
import { Contract, Wallet } from 'ethers'
import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { didRegistryAbi } from '#core/contracts/did-registry-abi.ts'
import { realSeconds } from '#scenarios/harness/control-client.ts'
import { callRpc, createTestProvider } from '#test/support/chain.ts'
import { answerWith, type Call, send } from '#test/support/http.ts'
import { shareTestbed } from '#test/support/running-testbed.ts'
import { requestInTurn } from '#test/support/servers.ts'
import { expectReadSince } from '#test/support/timing.ts'
import { decodeReceipt } from '#testbed/control/routes/transactions.ts'
import { controlRoutes } from '#testbed/control/routes.ts'

const shared = shareTestbed()
const control = (path: string, call?: Call) => shared.control(path, call)

/** A request with headers that fetch would not send. */
function requestRaw(path: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(`${shared.file.consoleUrl}${path}`, { headers }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .on('error', reject)
      .end()
  })
}

describe('access to the control interface', () => {
  it('accepts any client with the token', async () => {
    expect((await control('/clock')).status).toBe(200)
    for (const authorization of ['', 'Bearer', 'Bearer x', `Basic ${shared.file.control.token}`]) {
      expect((await control('/clock', { headers: { authorization } })).status).toBe(401)
    }
  })

  it('rejects pages of other origins, also with DNS rebinding', async () => {
    const authorization = `Bearer ${shared.file.control.token}`
    const { host } = new URL(shared.file.consoleUrl)
    expect(await requestRaw('/control/clock', { authorization, host })).toBe(200)
    const foreign: Record<string, string>[] = [
      { host: 'evil.example' },
      { host: `evil.example:${new URL(shared.file.consoleUrl).port}` },
      { host, origin: 'http://evil.example' },
      { host, origin: 'null' },
    ]
    for (const headers of foreign) {
      expect(await requestRaw('/control/clock', { authorization, ...headers })).toBe(403)
      for (const path of ['/', '/health', '/metrics', '/control/docs']) {
        expect(await requestRaw(path, headers)).toBe(403)
      }
    }
    const same = { authorization, host, origin: shared.file.consoleUrl }
    expect(await requestRaw('/control/clock', same)).toBe(200)
  })

  it('accepts a browser with the cookie of a one-time link', async () => {
    const link = shared.testbed.createConsoleLink()
    const opened = await fetch(link, { redirect: 'manual' })
    expect(opened.status).toBe(303)
    const [cookie = '', ...attributes] = (opened.headers.get('set-cookie') ?? '').split('; ')
    expect(attributes).toEqual(expect.arrayContaining(['HttpOnly', 'SameSite=Strict']))
    expect((await fetch(link, { redirect: 'manual' })).status).toBe(401)

    const headers = { authorization: '', cookie }
    expect((await control('/clock', { headers })).status).toBe(200)
    const page = await fetch(shared.file.consoleUrl, { headers: { cookie } })
    expect(page.status).toBe(200)
    expect(await page.text()).toContain(shared.pre.issuerBaseUrl)
    expect((await fetch(shared.file.consoleUrl)).status).toBe(401)

    // Changing something takes an Origin, which a browser always sends and a link never does.
    const change = { method: 'DELETE', headers }
    expect((await control('/clock', change)).status).toBe(401)
    const origin = shared.file.consoleUrl
    expect((await control('/clock', { ...change, headers: { ...headers, origin } })).status).toBe(
      200,
    )
    const other = { ...headers, cookie: `${cookie}x` }
    expect((await control('/clock', { headers: other })).status).toBe(401)
  })
})

describe('misspelled members', () => {
  it.each([
    ['/pre/offers', { txcode: {} }, 'txcode'],
    ['/pre/offers', { tx_code: { lenght: 4 } }, 'lenght'],
    ['/pre/defective-credentials', { defect: 'none', holder: 'did:key:z6Mk' }, 'holder'],
  ])('are named by a 400 of %s', async (path, json, name) => {
    const { status, body } = await control(path, { json })
    expect([status, body]).toEqual([
      400,
      { error: 'invalid_request', error_description: expect.stringContaining(name) },
    ])
  })

  it.each(
    controlRoutes.flatMap(({ method, path, request: { body } = {} }) =>
      body ? [{ method, path, body }] : [],
    ),
  )('are rejected by $method $path', ({ body }) => {
    const { error } = body.safeParse({ misspelled: true })
    expect(error?.issues.map(({ code }) => code)).toContain('unrecognized_keys')
  })
})

describe('clock', () => {
  it('moves services and chain together, and resets the services', async () => {
    const began = realSeconds()
    const { body: moved } = await control('/clock', { json: { advance_seconds: 4000 } })
    expectReadSince(moved.now, began, 4000)
    const mined = await control('/pre/mining', { method: 'POST' })
    expectReadSince(mined.body.time, began, 4000)
    const { body: token } = await control('/pre/bearer-tokens', {
      json: { organization_identifier: shared.pre.organizations[0]?.organizationIdentifier },
    })
    expectReadSince(decodeJwt(token.access_token).iat ?? 0, began, 4000)
    const { body: back } = await control('/clock', { method: 'DELETE' })
    expectReadSince(back.now, began)
    expect((await control('/clock')).body.now).toBeGreaterThanOrEqual(back.now)
    // The chain's time does not go back.
    const later = await control('/pre/mining', { method: 'POST' })
    expect(later.body.time).toBe(mined.body.time)
  })

  it.each([{}, { advance_seconds: -1 }, { advance_seconds: 1.5 }, { advance_seconds: '1' }, []])(
    'rejects %j',
    async (json) => {
      expect((await control('/clock', { json })).status).toBe(400)
    },
  )
})

describe('mining', () => {
  it('leaves transactions pending in mode manual', async () => {
    const put = (mode: string) => control('/pre/mining', { method: 'PUT', json: { mode } })
    expect(await control('/pre/mining')).toEqual(answerWith(200, { mode: 'auto' }))
    expect(await put('manual')).toEqual(answerWith(200, { mode: 'manual' }))
    expect(await control('/pre/mining')).toEqual(answerWith(200, { mode: 'manual' }))
    const raw = await Wallet.createRandom().signTransaction({
      chainId: Number(shared.pre.chain.chainId),
      nonce: 0,
      gasLimit: 100_000,
      gasPrice: 0,
      to: shared.pre.chain.didRegistryAddress,
    })
    const { result: hash } = await callRpc(shared.pre.chain.rpcUrl, 'eth_sendRawTransaction', raw)
    const pending = await control(`/pre/transactions/${hash}`)
    expect(pending).toMatchObject({ status: 200, body: { hash, receipt: null } })
    const { body: block } = await control('/pre/mining', { method: 'POST' })
    expect(block.transactions).toEqual([hash])
    const done = await control(`/pre/transactions/${hash}`)
    // The registry has no function without call data.
    expect(done.body.receipt.status).toBe('0x0')
    expect(await put('auto')).toEqual(answerWith(200, { mode: 'auto' }))
    expect((await put('sometimes')).status).toBe(400)
  })
})

describe('transactions', () => {
  it('name their events, and the error with which they reverted', async () => {
    const provider = createTestProvider(shared.pre.chain.rpcUrl)
    const node = Wallet.createRandom().address
    const authorize = async (privateKey: string) => {
      const signer = new Wallet(privateKey, provider)
      const contract = new Contract(shared.pre.chain.didRegistryAddress, didRegistryAbi, signer)
      const options = { gasLimit: 200_000, gasPrice: 0 }
      const sent = await contract.getFunction('authorizeOnboardingNode')(node, options)
      return (await control(`/pre/transactions/${sent.hash}`)).body
    }
    const done = await authorize(shared.pre.operator.privateKey)
    expect(done.events).toEqual([
      {
        name: 'OnboardingNodeAuthorized',
        address: expect.stringMatching(new RegExp(shared.pre.chain.didRegistryAddress, 'i')),
        args: expect.anything(),
      },
    ])
    const stranger = Wallet.createRandom()
    const refused = await authorize(stranger.privateKey)
    expect(refused.receipt.status).toBe('0x0')
    expect(refused.revertReason.name).toBe('DidRegistryNotOperator')
    expect(JSON.stringify(refused.revertReason.args)).toMatch(new RegExp(stranger.address, 'i'))
    provider.destroy()
  })

  it('are 404 if the chain does not know them, 400 if the hash is invalid', async () => {
    expect((await control(`/pre/transactions/0x${'00'.repeat(32)}`)).status).toBe(404)
    expect((await control('/pre/transactions/0x12')).status).toBe(400)
    expect((await control(`/nope/transactions/0x${'00'.repeat(32)}`)).status).toBe(404)
  })
})

describe('faults', () => {
  it('make a dependency fail until they are switched off', async () => {
    const path = '/pre/faults/chain-down'
    const resolution = `${shared.pre.didRegistryBaseUrl}/api/v1/identifiers/${shared.pre.trustChain.issuer.did}`
    expect((await control(path)).body).toEqual({ name: 'chain-down', active: false })
    expect((await control(path, { method: 'PUT' })).body.active).toBe(true)
    expect((await fetch(resolution)).status).toBe(500)
    expect((await control(path, { method: 'DELETE' })).body.active).toBe(false)
    expect((await fetch(resolution)).status).toBe(200)
  })

  it('are 404 for any other name', async () => {
    expect((await control('/pre/faults/everything-down', { method: 'PUT' })).status).toBe(404)
    expect((await control('/pre/faults/toString', { method: 'PUT' })).status).toBe(404)
    expect((await control('/pro/faults/tir-down', { method: 'PUT' })).status).toBe(404)
  })
})

describe('bearer tokens', () => {
  const organization_identifier = 'VATES-A12345678'

  it('contain the claims that the issuer requires, except omitted ones', async () => {
    const full = await control('/pre/bearer-tokens', { json: { organization_identifier } })
    expect(decodeJwt(full.body.access_token)).toMatchObject({
      iss: shared.pre.tokenIssuerBaseUrl,
      organization_identifier,
      organization: shared.pre.organizations[0]?.organization,
      user_identifier: shared.pre.organizations[0]?.representative.userIdentifier,
      email: shared.pre.organizations[0]?.representative.email,
    })
    const omit = ['email', 'organization']
    const less = await control('/pre/bearer-tokens', { json: { organization_identifier, omit } })
    const claims = decodeJwt(less.body.access_token)
    expect(Object.keys(claims).filter((name) => omit.includes(name))).toEqual([])
  })

  it('contain additional claims, and overridden values', async () => {
    const claims = { organization_identifier: 'VATES-X1', family_name: 'Ñúñez' }
    const json = { organization_identifier, claims }
    const { body } = await control('/pre/bearer-tokens', { json })
    expect(decodeJwt(body.access_token)).toMatchObject(claims)
  })

  it('are rejected for unknown organizations', async () => {
    const json = { organization_identifier: 'VATES-NOBODY' }
    expect((await control('/pre/bearer-tokens', { json })).status).toBe(404)
    expect((await control('/pre/bearer-tokens', { json: {} })).status).toBe(400)
  })
})

describe('offers', () => {
  const readOffer = (uri: string) => {
    const { searchParams } = new URL(uri)
    return JSON.parse(searchParams.get('credential_offer') ?? 'null')
  }
  const preAuthorized = 'urn:ietf:params:oauth:grant-type:pre-authorized_code'

  it('have exactly the requested properties', async () => {
    const tx_code = { length: 5, input_mode: 'numeric', description: 'five digits' }
    const { status, body } = await control('/pre/offers', { json: { tx_code } })
    expect(status).toBe(200)
    expect(body.pin).toMatch(/^[0-9]{5}$/)
    const offer = readOffer(body.offer_uri)
    expect(offer.credential_issuer).toBe(shared.pre.credentialIssuerUrl)
    expect(offer.grants[preAuthorized].tx_code).toEqual(tx_code)
    const { body: plain } = await control('/pre/offers', { json: {} })
    expect(plain.pin).toBeUndefined()
    expect(readOffer(plain.offer_uri).grants[preAuthorized]).not.toHaveProperty('tx_code')
    expect(plain.subject_id).not.toBe(body.subject_id)
  })

  it('can be sent by reference', async () => {
    const { body } = await control('/pre/offers', { json: { by: 'reference' } })
    const address = new URL(body.offer_uri).searchParams.get('credential_offer_uri') ?? ''
    const offer = (await (await fetch(address)).json()) as { credential_issuer: string }
    expect(offer.credential_issuer).toBe(shared.pre.credentialIssuerUrl)
  })

  it('are rejected for unknown organizations and for invalid input', async () => {
    const json = { organization_identifier: 'VATES-NOBODY' }
    expect((await control('/pre/offers', { json })).status).toBe(404)
    expect((await control('/pre/offers', { json: { by: 'pigeon' } })).status).toBe(400)
    expect((await control('/pre/offers', { json: { power: [] } })).status).toBe(400)
    expect((await control('/pre/offers', { json: { vc_type: 'Nothing' } })).status).toBe(400)
  })
})

describe('organizations', () => {
  const organization_identifier = 'VATES-A12345678'
  const power = { type: 'domain', domain: 'ORG', function: 'Archive', action: ['read'] }

  /** What the issuer says to a request for that power. */
  async function request(): Promise<number> {
    const { body } = await control('/pre/bearer-tokens', { json: { organization_identifier } })
    const response = await send(`${shared.pre.issuerBaseUrl}/issuance/representative`, {
      headers: { authorization: `Bearer ${body.access_token}` },
      json: { power: [power] },
    })
    return response.status
  }

  it('are listed, and can grant new powers from the next request on', async () => {
    const { body } = await control('/pre/organizations')
    const before = body.organizations.find(
      (each: { organization_identifier: string }) =>
        each.organization_identifier === organization_identifier,
    )
    expect(before.authorized_powers).toEqual(shared.pre.organizations[0]?.authorizedPowers)
    expect(await request()).toBe(400)
    const path = `/pre/organizations/${organization_identifier}`
    const put = (authorized_powers: object[]) =>
      control(path, { method: 'PUT', json: { authorized_powers } })
    expect((await put([...before.authorized_powers, power])).status).toBe(200)
    expect(await request()).toBe(200)
    expect((await control(path, { method: 'DELETE' })).status).toBe(204)
    expect(await request()).toBe(400)
    expect((await control(path, { method: 'DELETE' })).status).toBe(404)
    await put(before.authorized_powers)
    expect((await put([{ ...power, action: [] }])).status).toBe(400)
    expect((await control('/pro/organizations')).status).toBe(404)
  })

  it('come from a management API that can fail like a real one', async () => {
    const path = '/pre/management-failure'
    expect((await control(path)).body).toEqual({ failure: null })
    const put = (failure: string) => control(path, { method: 'PUT', json: { failure } })
    expect((await put('malformed')).body.failure).toMatchObject({ failure: 'malformed' })
    expect(await request()).toBe(503)
    expect((await control(path, { method: 'DELETE' })).body).toEqual({ failure: null })
    expect(await request()).toBe(400)
    expect((await put('haunted')).status).toBe(400)
  })
})

describe('traces', () => {
  it('list the exchanges between the parts by scenario, without control calls', async () => {
    const scenarioId = 'suite/scenario@1:1'
    await control('/pre/bearer-tokens', {
      json: { organization_identifier: 'VATES-A12345678' },
      headers: { 'x-scenario-id': scenarioId },
    })
    const { body } = await control('/traces?since=0')
    const mine = body.hops.filter((hop: { scenarioId?: string }) => hop.scenarioId === scenarioId)
    expect(mine.map(({ from, to }: { from: string; to: string }) => [from, to])).toEqual([
      ['control', 'token-issuer'],
    ])
    expect(body.hops.filter(({ to }: { to: string }) => to === 'console')).toEqual([])
    const last = body.hops.at(-1).id
    expect((await control(`/traces?since=${last}`)).body.hops).toEqual([])
    expect((await control('/traces?since=x')).status).toBe(400)
  })

  it('are sent as events while they happen', async () => {
    const { url, token } = shared.file.control
    const abort = new AbortController()
    const response = await fetch(`${url}/traces/stream`, {
      headers: { authorization: `Bearer ${token}` },
      signal: abort.signal,
    })
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
    const seen = (async () => {
      let text = ''
      const decoder = new TextDecoder()
      for await (const chunk of response.body ?? []) {
        text += decoder.decode(chunk as Uint8Array, { stream: true })
        const data = text.match(/^data: (.*nobody-there.*)\n/m)?.[1]
        if (data !== undefined) return JSON.parse(data)
      }
    })()
    await fetch(`${shared.pre.managementApiUrl}/nobody-there`)
    expect(await seen).toMatchObject({ to: 'management', status: 404, method: 'GET' })
    abort.abort()
  })

  it('end with their headers if the request is HEAD', async () => {
    const { consoleUrl, control } = shared.file
    const requests = [
      { method: 'HEAD', path: '/control/traces/stream' },
      { method: 'GET', path: '/health' },
    ]
    const headers = { authorization: `Bearer ${control.token}` }
    expect(await requestInTurn(consoleUrl, requests, headers)).toEqual([200, 200])
  })
})

describe('addresses', () => {
  it('all respond, with the documentation of each API', async () => {
    const statusOf = async (url: string | undefined) => url && (await fetch(url)).status
    for (const { name, healthUrl, docsUrl } of shared.testbed.addresses) {
      expect([name, await statusOf(healthUrl), await statusOf(docsUrl)]).toEqual([
        name,
        healthUrl && 200,
        docsUrl && 200,
      ])
    }
  })

  it('report their health without a recorded exchange', async () => {
    const last = (await control('/traces')).body.hops.at(-1)?.id ?? 0
    const { body } = await control('/health')
    expect(body.services.filter(({ problem }: { problem?: string }) => problem)).toEqual([])
    expect(body.services.length).toBe(12)
    expect((await control(`/traces?since=${last}`)).body.hops).toEqual([])
  })

  it('are degraded while a dependency is unavailable', async () => {
    const { idpBaseUrl: url } = shared.pre
    const healthOf = async () =>
      (await control('/health')).body.services.find(
        (service: { url: string }) => service.url === url,
      )
    expect(await healthOf()).toEqual({ url })
    await control('/pre/faults/tir-down', { method: 'PUT' })
    const away = await healthOf()
    await control('/pre/faults/tir-down', { method: 'DELETE' })
    expect(away).toEqual({ url, degraded: 'tir unavailable' })
    expect(await healthOf()).toEqual({ url })
  })
})

const addresses = {
  didRegistryAddress: `0x${'1'.repeat(40)}`,
  tirAddress: `0x${'2'.repeat(40)}`,
}
const receiptWith = (revertReason: string) => ({
  transactionHash: `0x${'3'.repeat(64)}`,
  blockNumber: '0x1',
  status: '0x0',
  logs: [],
  revertReason,
})

describe('decodeReceipt', () => {
  // Solidity, Panic via assert: Panic(uint256) has the selector 0x4e487b71.
  it('names an error', () => {
    const { revertReason } = decodeReceipt(
      receiptWith(`0x4e487b71${'11'.padStart(64, '0')}`) as never,
      addresses,
    )
    expect(revertReason).toMatchObject({ name: 'Panic', args: '17' })
  })

  it.each(['0x', '0x12', '0x12345678', '0x08c379a0', `0x4e487b71${'0'.repeat(10)}`])(
    'leaves the name empty if a contract reverted with %s',
    (data) => {
      const { revertReason } = decodeReceipt(receiptWith(data) as never, addresses)
      expect(revertReason).toEqual({ name: 'unknown', data })
    },
  )
})
