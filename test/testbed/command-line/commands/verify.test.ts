import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { toBuffer } from 'qrcode'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTrustWorld, type TrustWorld } from '#conformance/world/create-trust-world.ts'
import { answerAsRegistries } from '#conformance/world/open-trust-world.ts'
import { type CommandOutcome, runCommand } from '#test/support/processes.ts'
import { listenOn } from '#test/support/servers.ts'
import { createTestbedFile } from '#test/support/small-testbed.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

const now = Math.floor(Date.now() / 1000)
const offer =
  '{"credential_issuer":"https://issuer.example","credentials":["OrgPortalLearCredential"],"grants":{}}'
const asked: string[] = []
let world: TrustWorld
let origin = ''

const server = createServer((request, response) => {
  const path = request.url ?? '/'
  asked.push(path)
  if (path === '/offers/1') return void response.end(offer)
  const { status, contentType, body } = answerAsRegistries(world, new URL(path, origin))
  response.writeHead(status, { 'content-type': contentType }).end(body)
})

beforeAll(async () => {
  origin = await listenOn(server)
  const tirBaseUrl = `${origin}/trusted-issuers-registry`
  world = createTrustWorld({ now, tirBaseUrl, credentialIssuerUrl: origin })
})
afterAll(() => void server.close())

const registries = () => [
  ...['--did-registry', origin, '--tir', `${origin}/trusted-issuers-registry`],
  ...['--root-did', world.root.did, '--credential-issuer', origin],
]
const verify = (input: string, ...args: string[]): Promise<CommandOutcome> =>
  runCommand(['verify', '-', ...args], {
    cwd: createTemporaryFolder(),
    input: Buffer.from(input),
    env: { NO_COLOR: '1' },
  })
/** Lines that begin with the sign of a verdict, as `✓ rule`. */
const verdictsIn = (stdout: string, sign: string) =>
  [...stdout.matchAll(new RegExp(`^  \\${sign} (\\S+)`, 'gm'))].map(([, rule]) => rule)

describe('testbed verify', () => {
  it('prints each rule of a valid credential, with the given registries', async () => {
    const { exitCode, stdout, stderr } = await verify(world.issue(), ...registries())
    expect(stderr).toBe('')
    expect(exitCode).toBe(0)
    expect(verdictsIn(stdout, '✓')).toContain('credential.power')
    expect(verdictsIn(stdout, '✓')).toContain('trust.root')
    expect([...verdictsIn(stdout, '✗'), ...verdictsIn(stdout, '?')]).toEqual([])
    expect(stdout).toContain('First Organization')
  })

  it('does not query registries offline, reports it, and fails in strict mode', async () => {
    const before = asked.length
    const outcomes = await Promise.all([
      verify(world.issue(), '--offline'),
      verify(world.issue(), '--offline', '--strict'),
    ])
    expect(outcomes.map(({ exitCode }) => exitCode)).toEqual([0, 1])
    expect(verdictsIn(outcomes[0].stdout, '?')).toContain('credential.signature')
    expect(outcomes[0].stderr).toContain('--did-registry')
    expect(asked).toHaveLength(before)
  })

  it('exits with code 1 for a broken rule, with the actual value and a hint', async () => {
    const payload = world.credentialPayload()
    const broken = world.issue({
      ...payload,
      vc: { ...payload.vc, '@context': ['https://x.example'] },
    })
    const [plain, json] = await Promise.all([
      verify(broken, ...registries()),
      verify(broken, ...registries(), '--json'),
    ])
    expect([plain.exitCode, json.exitCode]).toEqual([1, 1])
    expect(verdictsIn(plain.stdout, '✗')).toEqual(['credential.context'])
    expect(plain.stdout).toContain('found "https://x.example"')
    expect(plain.stdout).toMatch(
      /^ {6}Fix: Make https:\/\/www\.w3\.org\/ns\/credentials\/v2 the first/m,
    )
    const { kind, verdict, rules } = JSON.parse(json.stdout)
    expect([kind, verdict]).toEqual(['credential', 'broken'])
    expect(rules.filter((rule: { verdict: string }) => rule.verdict === 'broken')).toMatchObject([
      { rule: 'credential.context', findings: [{ got: 'https://x.example' }] },
    ])
  })

  it('verifies at another time', async () => {
    const late = await verify(world.issue(), '--offline', '--at', '2099-01-01T00:00:00Z')
    expect(late.exitCode).toBe(1)
    expect(verdictsIn(late.stdout, '✗')).toEqual(['credential.expiry'])
  })

  it('uses the registries of the testbed that uses the data folder', async () => {
    const file = createTestbedFile(origin)
    const data = createTemporaryFolder()
    const { pre } = file.environments
    if (pre) pre.trustChain.rootTao.did = world.root.did
    await writeFile(join(data, 'testbed.json'), JSON.stringify(file))
    const { exitCode, stdout } = await verify(world.issue(), '--data', data)
    expect([exitCode, verdictsIn(stdout, '?')]).toEqual([0, []])
  })

  it('reads a QR code, and follows its link only with --fetch', async () => {
    const address = encodeURIComponent(`${origin}/offers/1`)
    const link = `openid-credential-offer://?credential_offer_uri=${address}`
    const path = join(createTemporaryFolder(), 'offer.png')
    await writeFile(path, await toBuffer(link))
    const run = (...args: string[]) =>
      runCommand(['verify', path, ...args], { cwd: createTemporaryFolder() })
    const [shown, refused, fetched] = await Promise.all([
      run(),
      run('--fetch'),
      run('--fetch', '--allow-private-addresses'),
    ])
    expect(verdictsIn(shown.stdout, '?')).toEqual(['offer.reference'])
    expect(verdictsIn(refused.stdout, '?')).toEqual(['offer.reference'])
    expect(verdictsIn(fetched.stdout, '✓')).toContain('offer.credentials')
    expect(asked.filter((url) => url === '/offers/1')).toHaveLength(1)
  })

  it('exits with code 2 for an unrecognized message, and lists the kinds that it tried', async () => {
    const [text, missing, empty, contradiction] = await Promise.all([
      verify('hello'),
      runCommand(['verify', 'no-such-file'], { cwd: createTemporaryFolder() }),
      verify(''),
      verify('hello', '--offline', '--fetch'),
    ])
    const codes = [text, missing, empty, contradiction].map(({ exitCode }) => exitCode)
    expect(codes).toEqual([2, 2, 2, 2])
    expect(text.stdout).toContain('DID document')
    expect(missing.stderr).toContain('no-such-file')
  })

  it('prevents a message from writing to the terminal', async () => {
    const { stdout } = await verify(JSON.stringify({ id: 'did:org:uc-pre:z1\u001b[2J\u202e' }))
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/)
  })
})
