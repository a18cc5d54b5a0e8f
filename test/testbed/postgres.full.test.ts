import { hostname } from 'node:os'
import { Client } from 'pg'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { TestbedFile } from '#scenarios/harness/z-testbed-file.ts'
import { callJson } from '#test/support/http.ts'
import { runCommand } from '#test/support/processes.ts'
import { environmentOf, spawnTestbed } from '#test/support/running-testbed.ts'
import { findPostgres, startPostgres } from '#test/support/start-postgres.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

const programs = findPostgres()
const organization_identifier = 'VATES-A12345678'
beforeEach(({ skip }) => {
  if (!programs) skip('PostgreSQL is not installed (apt-get install postgresql)')
})

async function startServer() {
  const postgres = await startPostgres(programs ?? '')
  onTestFinished(() => postgres.halt('immediate').then(() => postgres.stop()), 30_000)
  return postgres
}

interface Answer {
  readonly name: string
  readonly status: number
  readonly body: string
}

/** Requests to every service that has a database, repeatedly, and the result of each. */
function startTraffic(file: TestbedFile) {
  const pre = environmentOf(file)
  const control = { authorization: `Bearer ${file.control.token}` }
  const basic = ({ clientId, clientSecret }: { clientId: string; clientSecret: string }) => ({
    authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}`,
  })
  const form = (fields: Record<string, string>, headers = {}) => ({
    method: 'POST',
    headers,
    body: new URLSearchParams(fields),
  })
  const { clientId, redirectUri } = pre.oidcClient
  const authorize = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: 'openid',
    state: 's'.repeat(20),
    nonce: 'n'.repeat(20),
  })
  const code = { grant_type: 'authorization_code', code: 'unknown', redirect_uri: redirectUri }
  const json = { 'content-type': 'application/json' }
  // Name, address, what it answers while it is healthy.
  const requests: readonly [string, string, RequestInit, number][] = [
    [
      'offer',
      `${file.control.url}/pre/offers`,
      { method: 'POST', headers: { ...control, ...json }, body: '{}' },
      200,
    ],
    ['authorize', `${pre.idpBaseUrl}/accounts/authorize?${authorize}`, { redirect: 'manual' }, 303],
    ['token', `${pre.idpBaseUrl}/accounts/token`, form(code, basic(pre.oidcClient)), 400],
    [
      'portal token',
      `${pre.tokenIssuerBaseUrl}/token`,
      form(
        { ...code, redirect_uri: pre.tokenIssuerClient.redirectUri },
        basic(pre.tokenIssuerClient),
      ),
      400,
    ],
    [
      'code of an offer',
      `${pre.credentialIssuerUrl}/token`,
      form({
        grant_type: 'urn:ietf:params:oauth:grant-type:pre-authorized_code',
        'pre-authorized_code': 'unknown',
      }),
      400,
    ],
    ['status list', `${pre.issuerBaseUrl}/credentials/status/1`, {}, 200],
    [
      'powers',
      `${pre.managementApiUrl}/managements/organization/${organization_identifier}`,
      { headers: { authorization: 'Bearer x' } },
      200,
    ],
    [
      'API key',
      `${pre.apiKeysBaseUrl}/api-keys`,
      { headers: { 'x-api-key': pre.apiKeys.operator ?? '' } },
      200,
    ],
    ['inbox', `${file.mail.apiUrl}/api/v2/messages`, {}, 200],
  ]
  const answers: Answer[] = []
  const subjects: string[] = []
  let stopped = false
  const ask = async ([name, url, init, good]: (typeof requests)[number]) => {
    const response = await fetch(url, init)
    const body = await response.text()
    if (name === 'offer' && response.status === 200) subjects.push(JSON.parse(body).subject_id)
    answers.push({ name, status: response.status === good ? 0 : response.status, body })
  }
  const running = Promise.all(
    requests.map(async (request) => {
      while (!stopped) await ask(request)
    }),
  )
  const count = (isCounted: (answer: Answer) => boolean) =>
    new Map(
      requests.map(([name]) => [
        name,
        answers.filter((a) => a.name === name && isCounted(a)).length,
      ]),
    )
  const least = (isCounted: (answer: Answer) => boolean) => Math.min(...count(isCounted).values())
  return {
    subjects,
    /** Of all requests, the least number of good answers. */
    good: () => least(({ status }) => status === 0),
    failed: () => least(({ status }) => status !== 0),
    bad: () => answers.filter(({ status }) => status !== 0),
    async stop() {
      stopped = true
      await running
    },
  }
}

const healthOf = async (urls: readonly string[]) =>
  Promise.all(urls.map(async (url) => (await fetch(`${url}/health`)).status))

describe('testbed up --database-url', () => {
  it('survives restarts of the server and lost connections, under load', async () => {
    const postgres = await startServer()
    const testbed = spawnTestbed(createTemporaryFolder(), '--database-url', postgres.url)
    const file = await testbed.healthy
    const pre = environmentOf(file)
    const withDatabase = [
      pre.issuerBaseUrl,
      pre.credentialIssuerUrl,
      pre.idpBaseUrl,
      pre.verifierBaseUrl,
      pre.tokenIssuerBaseUrl,
      pre.managementApiUrl,
      pre.apiKeysBaseUrl ?? '',
      file.mail.apiUrl,
    ]
    const wait = { timeout: 40_000 }
    const traffic = startTraffic(file)
    for (const how of ['fast', 'immediate'] as const) {
      const before = traffic.good()
      await expect.poll(traffic.good, wait).toBeGreaterThan(before + 1)
      const failed = traffic.failed()
      await postgres.halt(how)
      await expect.poll(traffic.failed, wait).toBeGreaterThan(failed + 1)
      expect(await healthOf(withDatabase)).toEqual(withDatabase.map(() => 503))
      await postgres.resume()
      await expect.poll(() => healthOf(withDatabase), wait).toEqual(withDatabase.map(() => 200))
    }
    for (let round = 0; round < 3; round += 1) {
      const before = traffic.good()
      await expect.poll(traffic.good, wait).toBeGreaterThan(before)
      await postgres.run(
        "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'services'",
      )
    }
    const before = traffic.good()
    await expect.poll(traffic.good, wait).toBeGreaterThan(before + 1)
    await traffic.stop()

    // A client is blamed for nothing, and no stack or SQL reaches it.
    for (const { name, status, body } of traffic.bad()) {
      expect([name, status >= 500, body]).toEqual([name, true, body])
      expect(body).not.toMatch(/\n\s+at |ECONNREFUSED|terminat|select /)
    }
    // Only the control interface asks others in turn; the issuer's form has no codes.
    for (const { name, status, body } of traffic.bad().filter(({ name }) => name !== 'offer')) {
      const said = name === 'status list' ? 'cannot reach its database' : 'database_unavailable'
      expect([name, status, body]).toEqual([name, 503, expect.stringContaining(said)])
    }
    // What was acknowledged is there.
    const { body: token } = await callJson(`${file.control.url}/pre/bearer-tokens`, {
      json: { organization_identifier },
      headers: { authorization: `Bearer ${file.control.token}` },
    })
    const { body: records } = await callJson(`${pre.issuerBaseUrl}/issuance/credential`, {
      json: { organization_identifiers: [organization_identifier] },
      headers: { authorization: `Bearer ${token.access_token}` },
    })
    const known = records.map(({ subject_id }: { subject_id: string }) => subject_id)
    expect(known).toEqual(expect.arrayContaining(traffic.subjects))
    expect(testbed.child.exitCode).toBe(null)

    const cwd = createTemporaryFolder()
    const args = ['run', '^(broker/bearer-token-by-wallet|issuance/record-life)', '--testbed']
    const ran = await runCommand([...args, `${testbed.folder}/testbed.json`], { cwd })
    expect(ran).toMatchObject({ exitCode: 0 })
    testbed.child.kill('SIGTERM')
    expect(await testbed.ended).toBe(0)
  })

  it('rejects a database that another testbed uses or has used, and names it', async () => {
    const postgres = await startServer()
    const [folder, other] = [createTemporaryFolder(), createTemporaryFolder()]
    const first = spawnTestbed(folder, '--database-url', postgres.url)
    await first.healthy
    const second = spawnTestbed(other, '--database-url', postgres.url)
    expect(await second.ended).toBe(3)
    expect(second.stderr()).toContain('in use by another testbed')
    for (const part of [`process ${first.child.pid}`, hostname(), folder]) {
      expect(second.stderr()).toContain(part)
    }
    // The lock is taken again after an outage.
    const held = `select count(*)::int as held from pg_locks where locktype = 'advisory'`
    await postgres.halt('immediate')
    await postgres.resume()
    await expect.poll(async () => (await postgres.run(held))[0]?.held).toBe(1)
    expect(await spawnTestbed(other, '--database-url', postgres.url).ended).toBe(3)

    first.child.kill('SIGKILL')
    await first.ended
    const afterwards = spawnTestbed(other, '--database-url', postgres.url)
    expect(await afterwards.ended).toBe(3)
    expect(afterwards.stderr()).toContain('holds the records of another testbed')
    expect(afterwards.stderr()).toContain(folder)
    const again = spawnTestbed(folder, '--database-url', postgres.url)
    await again.healthy
    again.child.kill('SIGTERM')
    await again.ended

    // The folder is as particular about its database.
    const withoutIt = spawnTestbed(folder)
    expect(await withoutIt.ended).toBe(3)
    expect(withoutIt.stderr()).toContain('--database-url')
    const elsewhere = await startServer()
    const swapped = spawnTestbed(folder, '--database-url', elsewhere.url)
    expect(await swapped.ended).toBe(3)
    expect(swapped.stderr()).toContain('does not contain its records')
  })

  it('stops if another testbed takes its database during an outage', async () => {
    const postgres = await startServer()
    const testbed = spawnTestbed(createTemporaryFolder(), '--database-url', postgres.url)
    await testbed.healthy
    const other = new Client({ connectionString: postgres.url })
    await other.connect()
    other.on('error', () => {})
    const waiting = other.query(`select pg_advisory_lock(hashtextextended('lear-testbed', 0))`)
    const waits = `select count(*)::int as waits from pg_locks where locktype = 'advisory' and not granted`
    await expect.poll(async () => (await postgres.run(waits))[0]?.waits).toBe(1)
    await postgres.run(`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name like 'lear-testbed lock%'
    `)
    await waiting
    await other.query(`update testbed.holder set token = 'x', host = 'elsewhere', pid = 4711`)
    expect(await testbed.ended).toBe(1)
    expect(testbed.stderr()).toContain('process 4711 on elsewhere')
    await other.end()
  })

  it('shares the database among the processes of one testbed', async () => {
    const postgres = await startServer()
    const folder = createTemporaryFolder()
    for (let start = 0; start < 2; start += 1) {
      const testbed = spawnTestbed(folder, '--processes', '--database-url', postgres.url)
      await testbed.healthy
      testbed.child.kill('SIGTERM')
      expect(await testbed.ended).toBe(0)
    }
  })
})
