import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { toBuffer } from 'qrcode'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { CheckBase } from '#conformance/kit/check.ts'
import { createExchangeLog } from '#conformance/kit/evidence/exchange-log.ts'
import { loadChecks } from '#conformance/kit/load-checks.ts'
import { openTargetPlan } from '#conformance/kit/open-target-plan.ts'
import type { OpenPlan, OpenPlanOptions } from '#conformance/kit/plan.ts'
import { createRecordedHttp } from '#conformance/kit/recorded-http.ts'
import { runPlan } from '#conformance/kit/run-plan.ts'
import type { PresentationOptions, VerifierContext } from '#conformance/plans/verifier/context.ts'
import { openVerifierPlan, verifierCaller } from '#conformance/plans/verifier/open-verifier-plan.ts'
import { postPresentation } from '#conformance/plans/verifier/post-presentation.ts'
import {
  asPractice,
  findEachRefused,
  type PresentationCase,
} from '#conformance/plans/verifier/presentation-checks.ts'
import { inCredential, inPresentation } from '#conformance/plans/verifier/raw-tokens.ts'
import type { VerifierTarget } from '#conformance/plans/verifier/z-target.ts'
import { openKit } from '#conformance/targets/open-kit.ts'
import { readTarget } from '#conformance/targets/read-target.ts'
import type { Observation } from '#conformance/targets/verdict-sources.ts'
import { createTrustWorld } from '#conformance/world/create-trust-world.ts'
import { brokenBy } from '#scenarios/fixtures/fault-catalogue.ts'
import type { PersonAnswer } from '#scenarios/harness/z-person-question.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'
import {
  type PretendedVerifier,
  startPretendedVerifier,
} from '#test/support/verifier-counterparts.ts'
import { startLoginServices } from '#testbed/conformance/start-login-services.ts'
import { presentationFaults } from '#wallet-emulator/faults/find-faults.ts'

const checks = await loadChecks<VerifierContext>('verifier')

const createOptions = () => ({
  exchanges: createExchangeLog(),
  signal: new AbortController().signal,
})

async function run(
  plan: OpenPlan<VerifierContext>,
  ids: readonly string[],
  options = createOptions(),
): Promise<Record<string, string>> {
  const selected = checks.filter(({ id }) => ids.includes(id))
  const runs = await runPlan(plan, { checks: selected, ...options })
  return Object.fromEntries(
    runs.map(({ check, finding, result }) => [
      check.id,
      finding?.kind ?? result.failure?.stack ?? 'kit error',
    ]),
  )
}

const poll = (baseUrl: string) => ({
  url: `${baseUrl}/states/{session}`,
  path: '$.status',
  accepted: ['SUCCESS'],
  refused: ['FAILED'],
  pending: ['PENDING'],
  intervalMilliseconds: 20,
})

const targetAt = (baseUrl: string): VerifierTarget => ({
  plan: 'verifier',
  name: 'a simulated verifier',
  request: { call: { url: `${baseUrl}/sessions` }, link: '$.link', session: '$.id' },
  verdict: { poll: poll(baseUrl), withinSeconds: 0.1 },
})

/** Returns the verdicts of the checks about a simulated verifier. */
async function judge(
  pretended: PretendedVerifier,
  ids: readonly string[],
  change: (target: VerifierTarget, baseUrl: string) => VerifierTarget = (target) => target,
  askPerson?: OpenPlanOptions['askPerson'],
) {
  const { baseUrl, stop } = await startPretendedVerifier(pretended)
  const options = { ...createOptions(), ...(askPerson && { askPerson }) }
  const plan = await openVerifierPlan(change(targetAt(baseUrl), baseUrl), options)
  onTestFinished(async () => {
    await plan.close()
    stop()
  })
  return run(plan, ids)
}

/** V05 sends two invalid presentations, then the control sends a valid one. */
const goodSession = 2
const isRightIn = (session: number) => (session === goodSession ? 'SUCCESS' : 'FAILED')

describe('the checks of verifiers', () => {
  it('are those of the catalogue and later additions', () => {
    const numbers = checks.map(({ id }) => Number(id.slice(1)))
    const expected = Array.from({ length: numbers.length }, (_, index) => index + 1)
    expect(numbers.length).toBeGreaterThan(51)
    expect(numbers).toEqual(expected)
  })

  it('cite only existing statements of the profile', () => {
    const surelyNot = [2, 3, 8, 10, 18, 37, 42, 43, 44, 45, 46, 47, 48, 51]
    const spec = checks.filter(({ level }) => level === 'spec').map(({ id }) => Number(id.slice(1)))
    expect(spec.filter((id) => surelyNot.includes(id))).toEqual([])
    expect(spec.length).toBeGreaterThan(30)
  })
})

describe('the verdict of a check that expects a rejection', () => {
  it.each<[string, PretendedVerifier, string]>([
    ['holds if the source reports a rejection', { state: isRightIn }, 'held'],
    ['is broken if the source reports an acceptance', { state: () => 'SUCCESS' }, 'broken'],
    [
      'holds after a 4xx of the response endpoint',
      {
        answer: (session) => (session === goodSession ? 200 : 400),
        state: (session) => (session === goodSession ? 'SUCCESS' : 'PENDING'),
      },
      'held',
    ],
    [
      'is broken after a 4xx if the session is accepted anyway',
      { answer: () => 400, state: () => 'SUCCESS' },
      'broken',
    ],
    [
      'is broken if the session is accepted later',
      { state: (_session, asked) => (asked === 1 ? 'FAILED' : 'SUCCESS') },
      'broken',
    ],
    ['is inconclusive after an overload', { answer: () => 429, state: isRightIn }, 'inconclusive'],
    [
      'is inconclusive after an outage that lasts',
      { answer: () => 500, state: () => 'PENDING' },
      'inconclusive',
    ],
    [
      'is broken after two outages, if a valid presentation is accepted afterwards',
      {
        answer: (session) => (session < 2 * goodSession ? 500 : 200),
        state: (session) => (session < 2 * goodSession ? 'PENDING' : 'SUCCESS'),
      },
      'broken',
    ],
    ['is inconclusive during maintenance', { answer: () => 503, state: isRightIn }, 'inconclusive'],
    ['is inconclusive if the session stays open', { state: () => 'PENDING' }, 'inconclusive'],
    ['is inconclusive for an unknown state', { state: () => 'WHATEVER' }, 'inconclusive'],
    ['is inconclusive if the source does not answer', { state: () => 500 }, 'inconclusive'],
    [
      'is inconclusive if valid presentations are rejected as well',
      { state: () => 'FAILED' },
      'inconclusive',
    ],
  ])('%s', async (_name, pretended, expected) => {
    expect(await judge(pretended, ['V05'])).toEqual({ V05: expected })
  })

  it('is inconclusive if the verifier does not answer', async () => {
    const { baseUrl, stop } = await startPretendedVerifier({
      answer() {
        stop()
        return 'hang'
      },
    })
    const target: VerifierTarget = {
      plan: 'verifier',
      name: 'an unavailable verifier',
      request: { call: { url: `${baseUrl}/sessions` }, session: '$.id' },
      verdict: { poll: poll(baseUrl), withinSeconds: 0.1 },
    }
    const plan = await openVerifierPlan(target, createOptions())
    onTestFinished(async () => plan.close())
    const [check] = checks.filter(({ id }) => id === 'V05')
    const [outcome] = await runPlan(plan, { checks: check ? [check] : [], ...createOptions() })
    expect(outcome?.finding?.kind).toBe('inconclusive')
  })

  it('is inconclusive for special cases if the verifier accepts no valid presentation', async () => {
    const ids = ['V31', 'V33', 'V55', 'V57', 'V62', 'V84', 'V137']
    const undecided = Object.fromEntries(ids.map((id) => [id, 'inconclusive']))
    expect(await judge({ state: () => 'FAILED' }, ids)).toEqual(undecided)
    expect(await judge({ state: () => 'PENDING' }, ['V89'])).toEqual({ V89: 'inconclusive' })
    expect(await judge({ answer: () => 500 }, ['V89'])).toEqual({ V89: 'inconclusive' })
  })

  it('holds for a wrong state if the session of response_uri stays open', async () => {
    const withState = new Set<number>()
    const finder: PretendedVerifier = {
      answer(session, form) {
        if (form.has('state')) withState.add(session)
        return 200
      },
      state: (session) => (withState.has(session) ? 'PENDING' : 'SUCCESS'),
    }
    expect(await judge(finder, ['V54'])).toEqual({ V54: 'held' })
    expect(await judge({ state: () => 'PENDING' }, ['V54'])).toEqual({ V54: 'inconclusive' })
    expect(await judge({ state: () => 'SUCCESS' }, ['V54'])).toEqual({ V54: 'broken' })
  })

  it('names the presentation to which the verifier does not respond', async () => {
    const answer = () => 'close' as const
    const { baseUrl, stop } = await startPretendedVerifier({ answer, state: () => 'PENDING' })
    const plan = await openVerifierPlan(targetAt(baseUrl), createOptions())
    onTestFinished(async () => {
      await plan.close()
      stop()
    })
    const selected = checks.filter(({ id }) => ['V05', 'V115'].includes(id))
    for (const { finding } of await runPlan(plan, { checks: selected, ...createOptions() })) {
      expect(finding?.kind).toBe('inconclusive')
      expect(finding?.reason).toMatch(/(presentation|credential) .* got no response: .* log/)
    }
  })

  it('waits only shortly after three presentations without a response', async () => {
    const server = createServer(() => {}).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    const { port } = server.address() as AddressInfo
    const { exchanges, signal } = createOptions()
    const responseUri = `http://127.0.0.1:${port}/response`
    const parameters = { client_id: 'verifier', nonce: 'nonce', response_uri: responseUri }
    const opened = { link: '', session: undefined, parameters }
    const trust = { world: createTrustWorld() } as unknown as VerifierContext['trust']
    const silence = { unanswered: 3 }
    const base = {
      exchanges,
      signal,
      silence,
      now: () => Math.floor(Date.now() / 1000),
      httpAs: () =>
        createRecordedHttp({ exchanges, signal, part: 'wallet', to: 'verifier', checkId: 'V04' }),
    }
    const began = performance.now()
    const answer = await postPresentation(opened, {}, trust, base as unknown as CheckBase)
    expect(performance.now() - began).toBeLessThan(8000)
    expect(answer).toMatchObject({ status: 0, reason: expect.stringContaining('more than 2 s') })
    expect(silence.unanswered).toBe(4)
  })

  it('breaks V49 if the response is a redirect', async () => {
    expect(await judge({ answer: () => 302 }, ['V49'])).toEqual({ V49: 'broken' })
  })

  it('breaks V04 if a valid presentation is rejected, or makes the verifier fail twice', async () => {
    expect(await judge({ answer: () => 500 }, ['V04'])).toEqual({ V04: 'broken' })
    const once = (session: number) => (session === 0 ? 500 : 200)
    expect(await judge({ answer: once, state: () => 'SUCCESS' }, ['V04'])).toEqual({ V04: 'held' })
    expect(await judge({ state: () => 'FAILED' }, ['V04'])).toEqual({ V04: 'broken' })
    expect(await judge({ state: () => 'PENDING' }, ['V04'])).toEqual({ V04: 'broken' })
  })
})

describe('a verifier that decides at random', () => {
  it('passes no check', async () => {
    let drawn = 1
    // A linear congruential generator with the constants of Numerical Recipes.
    const draw = () => {
      drawn = (drawn * 1_664_525 + 1_013_904_223) % 2 ** 32
      return drawn / 2 ** 32
    }
    const states = new Map<number, string>()
    const state = (session: number) => {
      const known = states.get(session) ?? (draw() < 0.5 ? 'SUCCESS' : 'FAILED')
      states.set(session, known)
      return known
    }
    const refusing = checks.filter(
      ({ control, id }) => control === 'presentation' && /[05]$/.test(id),
    )
    expect(refusing.length).toBeGreaterThan(10)
    const found = await judge(
      { state },
      refusing.map(({ id }) => id),
    )
    expect(Object.entries(found).filter(([, kind]) => kind === 'held')).toEqual([])
  })
})

describe('other sources of a verdict', () => {
  const without = (verdict: VerifierTarget['verdict']) => (target: VerifierTarget) => ({
    ...target,
    verdict,
  })

  it.each<[string, PretendedVerifier, VerifierTarget['verdict']]>([
    [
      'the status of the answer',
      { answer: (session) => (session === goodSession ? 200 : 403) },
      { response: { accepted: [200], refused: [403] } },
    ],
    [
      'an error in the redirect_uri',
      {
        answer: (session) => ({
          redirect_uri: `https://app.example/?${session === goodSession ? 'code' : 'error'}=x`,
        }),
      },
      { redirect: { accepted: ['code'], refused: ['error'] } },
    ],
  ])('%s', async (_name, pretended, verdict) => {
    expect(await judge(pretended, ['V05'], without(verdict))).toEqual({ V05: 'held' })
    const always: PretendedVerifier = {
      ...pretended,
      answer: (_session, form) => pretended.answer?.(goodSession, form) ?? 200,
    }
    expect(await judge(always, ['V05'], without(verdict))).toEqual({ V05: 'broken' })
  })

  it('a call that returns the verdict', async () => {
    const command = (target: VerifierTarget, baseUrl: string): VerifierTarget => ({
      ...target,
      verdict: {
        command: { url: `${baseUrl}/states/{session}`, statuses: { done: [200], refused: [404] } },
      },
    })
    const state = (session: number) => (session === goodSession ? 'fine' : 404)
    expect(await judge({ state }, ['V05'], command)).toEqual({ V05: 'held' })
    expect(await judge({ state: () => 'fine' }, ['V05'], command)).toEqual({ V05: 'broken' })
    expect(await judge({ state: () => 500 }, ['V05'], command)).toEqual({ V05: 'inconclusive' })
  })

  it('a person, who might not answer', async () => {
    const said = ['refused', 'refused', 'accepted'] as const
    const person = (answers: readonly PersonAnswer[]) => {
      const rest = answers.map((did) => ({ did, note: '' }))
      const change = (target: VerifierTarget) => ({ ...target, verdict: { person: true as const } })
      return judge({}, ['V05'], change, async () => rest.shift())
    }
    expect(await person(said)).toEqual({ V05: 'held' })
    expect(await person(['refused', 'accepted'])).toEqual({ V05: 'broken' })
    expect(await person(['nothing', 'skipped'])).toEqual({ V05: 'inconclusive' })
    expect(await person([])).toEqual({ V05: 'inconclusive' })
  })

  it('silence, if the target counts it', async () => {
    const state = (session: number) => (session === goodSession ? 'SUCCESS' : 'PENDING')
    const silence = (target: VerifierTarget): VerifierTarget => ({
      ...target,
      verdict: { ...target.verdict, silence: 'refused' },
    })
    expect(await judge({ state }, ['V05'], silence)).toEqual({ V05: 'held' })
    expect(await judge({ state }, ['V05'])).toEqual({ V05: 'inconclusive' })
  })
})

describe('a session on a page', () => {
  const onPage = (target: VerifierTarget, baseUrl: string): VerifierTarget => ({
    ...target,
    request: { page: `${baseUrl}/page/?state={random}`, session: 'data-session="(\\d+)"' },
  })
  it.each([
    ['a link', (link: string) => `<a href="${link.replaceAll('&', '&amp;')}">Open</a>`],
    [
      'only a QR code',
      async (link: string) =>
        `<img src="data:image/gif;base64,R0lG"><img alt="" src="data:image/png;base64,${(await toBuffer(link)).toString('base64')}">`,
    ],
  ])('starts with %s', async (_name, page) => {
    expect(await judge({ state: isRightIn, page }, ['V05'], onPage)).toEqual({ V05: 'held' })
  })

  it('does not start without a link or a QR code', async () => {
    const outcome = await judge({ page: () => 'Come back later.' }, ['V05'], onPage)
    expect(outcome).toEqual({ V05: 'inconclusive' })
  })
})

describe("the testbed's own login, from a target file", () => {
  it('passes with only the page of the IDP and its status poll', async () => {
    const options = createOptions()
    const kit = await openKit({}, verifierCaller, options)
    const { idpBaseUrl, client, close } = await startLoginServices(kit.trust)
    const query = new URLSearchParams({
      client_id: client.clientId,
      redirect_uri: client.redirectUri,
      response_type: 'code',
      scope: 'openid openid-vp-lear',
    })
    const file = join(createTemporaryFolder(), 'target.yaml')
    writeFileSync(
      file,
      `plan: verifier
name: My login
request:
  page: ${idpBaseUrl}/accounts/authorize?${query}&state={random}&nonce={random}
  session: data-session="([^"]+)"
verdict:
  poll:
    url: ${idpBaseUrl}/idp/api/auth/requests?session={session}
    path: $.status
    accepted: [SUCCESS]
    refused: [FAILED]
    pending: [PENDING]
`,
    )
    const { target } = await readTarget<VerifierTarget>(file, 'verifier', {})
    const plan = await openVerifierPlan(target, options, kit)
    onTestFinished(async () => {
      await close()
      await plan.close()
    })
    const ids = ['V01', 'V04', 'V05', 'V26', 'V50']
    expect(await run(plan, ids, options)).toEqual(Object.fromEntries(ids.map((id) => [id, 'held'])))
  })

  it('reports the line of an error', async () => {
    const file = join(createTemporaryFolder(), 'target.yaml')
    writeFileSync(file, 'plan: verifier\nname: x\nrequest:\n  page: none\nverdict: {}\n')
    await expect(openTargetPlan('verifier', file, createOptions())).rejects.toMatchObject({
      code: 'invalid_target',
    })
  })
})

describe('a deviation of the wallet at a verifier', () => {
  /** The faults that a check presents, regardless of its verdict. */
  async function faultsOf(check: (typeof checks)[number]): Promise<readonly string[]> {
    const presented: string[] = []
    const context = {
      now: () => 1_800_000_000,
      trust: { world: createTrustWorld(), misbehave: () => {} },
      openRequest: async () => ({ link: '', session: undefined, parameters: {} }),
      present: async (_: unknown, { faults = [] }: PresentationOptions = {}) => {
        presented.push(...faults.map(({ name }) => name))
        return { status: 200, reason: '' }
      },
      observe: async () => ({ verdict: 'refused', reason: '', source: '' }),
    } as unknown as VerifierContext
    await Promise.allSettled([(async () => check.run(context))()])
    return presented
  }

  it('is presented by the check that it names', async () => {
    const presented = new Set<string>()
    for (const check of checks) {
      for (const name of await faultsOf(check)) presented.add(`${check.id} ${name}`)
    }
    const named = presentationFaults.map((fault) => `${brokenBy(fault).check} ${fault.name}`)
    // V51 posts both presentations itself and reads the state in between.
    expect(named.filter((each) => !presented.has(each))).toEqual(['V51 presentation-corrected'])
  })
})

type Verdict = Observation['verdict']

/** A verifier that returns these verdicts in turn. */
function contextWith(verdicts: readonly Verdict[]) {
  const left = [...verdicts]
  const observationOf = (verdict: Verdict) => ({
    verdict,
    source: 'test',
    reason: `It is ${verdict}.`,
  })
  const context: Partial<VerifierContext> = {
    openRequest: async () => ({ link: 'openid4vp://', session: undefined, parameters: {} }),
    present: async () => ({ status: 200, reason: '' }),
    observe: async () => observationOf(left.shift() ?? 'undecided'),
  }
  return context as VerifierContext
}

const cases = [
  { what: 'A required rejection.' },
  ...asPractice([{ what: 'An advised rejection.' }]),
]

describe('a single valid presentation that is rejected', () => {
  const reasonAfter = async (...paths: readonly string[]) => {
    const [check] = checks.filter(({ id }) => id === 'V04')
    const received = paths.map((path) => ({ method: 'GET', path }))
    const trust = { received } as unknown as VerifierContext['trust']
    return (await check?.run({ ...contextWith(['refused']), trust }))?.reason
  }

  it('names the last request to the registries', async () => {
    expect(await reasonAfter('/did', '/attribute')).toContain('was GET /attribute:')
  })

  it('is not looked up if no verdict could be read', async () => {
    const undecided = { verdict: 'undecided', source: 'status poll', reason: 'It has no $.status.' }
    const [check] = checks.filter(({ id }) => id === 'V04')
    const observe = async () => undecided as Observation
    const finding = await check?.run({ ...contextWith(['refused']), observe })
    expect(finding?.kind).toBe('inconclusive')
    expect(finding?.reason).not.toContain('registries')
  })

  it('says that there was none', async () => {
    expect(await reasonAfter()).toContain('It requested nothing from the registries')
  })
})

describe('presentations that must be rejected', () => {
  it('have the level of their check or a separate one', async () => {
    const demanded = await findEachRefused(contextWith(['accepted']), cases)
    expect(demanded.kind).toBe('broken')
    expect(demanded.level).toBeUndefined()
    const advised = await findEachRefused(contextWith(['refused', 'accepted']), cases)
    expect(advised).toMatchObject({ kind: 'broken', level: 'practice' })
  })

  it('have a separate fix or that of their check', async () => {
    const accepted = (all: readonly PresentationCase[]) =>
      findEachRefused(contextWith(['accepted']), all)
    expect((await accepted(cases)).fix).toBeUndefined()
    const fix = 'Reject text after the object.'
    const inToken = { what: 'contains text after the object in its payload', fix }
    for (const create of [inCredential, inPresentation]) {
      expect(await accepted([create(inToken)])).toMatchObject({ kind: 'broken', fix })
    }
  })

  it('pass only if all are rejected', async () => {
    const refused = await findEachRefused(contextWith(['refused', 'refused']), cases)
    expect(refused.kind).toBe('held')
    const open = await findEachRefused(contextWith(['refused', 'undecided']), cases)
    expect(open.kind).toBe('inconclusive')
  })

  it.each([
    [true, 2],
    [false, 1],
  ])(
    'are sent two at a time only if several can be observed: %s',
    async (observesSeveral, most) => {
      let open = 0
      const numbers: number[] = []
      const context = {
        ...contextWith(['refused', 'refused', 'refused']),
        observesSeveral,
        present: async () => {
          numbers.push(++open)
          await new Promise(setImmediate)
          open--
          return { status: 200, reason: '' }
        },
      }
      expect((await findEachRefused(context, [...cases, ...cases.slice(1)])).kind).toBe('held')
      expect(Math.max(...numbers)).toBe(most)
    },
  )
})
