import { z } from 'zod'
import { planNames } from '#conformance/kit/check.ts'
import { TestbedError } from '#core/errors/testbed-error.ts'
import { type AnyRoute, defineRoute } from '#kit/define-route.ts'
import type { ConsoleDependencies } from '../dependencies.ts'
import { definePage } from '../frame/define-page.ts'
import { listChecks } from './inventory.ts'
import { targetPage } from './target-page.ts'
import { readMembers, writeTarget, zTargetName } from './target-shelf.ts'

const zPlanPath = z.object({ plan: z.enum(planNames) })
const zText = z.string().max(256 * 1024)
const noStore = { 'cache-control': 'no-store' }

const showTarget = definePage({
  path: '/conformance/:plan',
  room: 'conformance',
  summary: 'The form of a target',
  params: zPlanPath,
  async render({ frame, params: { plan } }, { targets, runs }) {
    const { shapeOf, targetSchemaOf } = await import('#conformance/targets/target-shape.ts')
    const shape = shapeOf(await targetSchemaOf(plan))
    return targetPage(frame, {
      plan,
      shape,
      checks: await listChecks(plan),
      saved: await targets.list(),
      current: runs.current(),
    })
  },
})

const checkText = defineRoute<ConsoleDependencies>()({
  method: 'post',
  path: '/console/target-checks',
  summary: 'Validate a target: its members, or the text of a file',
  auth: 'control',
  documented: false,
  request: {
    body: z.strictObject({
      plan: z.enum(planNames),
      value: z.record(z.string(), z.unknown()).optional(),
      text: zText.optional(),
    }),
  },
  responses: { 200: { description: 'The file, its members and its problems' } },
  errors: ['invalid_request'],
  async handle({ body: { plan, value = {}, text = writeTarget(value) } }) {
    const { parseTarget } = await import('#conformance/targets/read-target.ts')
    const { listPersonChecks } = await import('#conformance/targets/list-person-checks.ts')
    const { loadChecks } = await import('#conformance/kit/load-checks.ts')
    const { problems } = await parseTarget(text, plan)
    const members = readMembers(text)
    const personChecks = listPersonChecks(plan, members, await loadChecks(plan))
    return { status: 200, headers: noStore, body: { text, value: members, problems, personChecks } }
  },
})

const readSaved = defineRoute<ConsoleDependencies>()({
  method: 'get',
  path: '/console/targets/:name',
  summary: 'The text of a saved target',
  auth: 'control',
  documented: false,
  request: { params: z.object({ name: zTargetName }) },
  responses: { 200: { description: 'The text' } },
  errors: ['unknown_target'],
  async handle({ params: { name } }, { targets }) {
    return { status: 200, headers: noStore, body: { text: await targets.read(name) } }
  },
})

const removeSaved = defineRoute<ConsoleDependencies>()({
  method: 'delete',
  path: '/console/targets/:name',
  summary: 'Delete a saved target',
  auth: 'control',
  documented: false,
  request: { params: z.object({ name: zTargetName }) },
  responses: { 204: { description: 'The target is deleted' } },
  errors: ['unknown_target'],
  async handle({ params: { name } }, { targets }) {
    await targets.remove(name)
    return { status: 204 }
  },
})

const zTargetBody = z.strictObject({
  plan: z.enum(planNames),
  name: zTargetName,
  text: zText,
  strict: z.boolean().optional(),
  checks: z
    .array(z.string().regex(/^[A-Z]\d{2,3}$/, 'must be the id of a check'))
    .min(1)
    .max(500)
    .optional()
    .describe('By default all'),
})

const connect = defineRoute<ConsoleDependencies>()({
  method: 'post',
  path: '/console/preflights',
  summary: 'Save a target, connect to its system and name each problem',
  auth: 'command',
  documented: false,
  request: { body: zTargetBody },
  responses: { 200: { description: 'The problems' } },
  errors: ['console_key_missing', 'invalid_request', 'loopback_only', 'not_checked'],
  async handle({ body: { plan, name, text } }, { targets, isLoopback }) {
    requireLoopback(isLoopback)
    const problems = await targets.connect(plan, await targets.save(name, text))
    return { status: 200, headers: noStore, body: { problems } }
  },
})

/** A target may name commands, which only a person at this machine may run. */
function requireLoopback(isLoopback: boolean): void {
  if (isLoopback) return
  const message =
    'Targets can be used only in a console on this machine. Run bin/testbed conformance in a terminal.'
  throw new TestbedError({ code: 'loopback_only', status: 403, message })
}

const startTargetRun = defineRoute<ConsoleDependencies>()({
  method: 'post',
  path: '/console/target-runs',
  summary: 'Save a target and run its plan',
  auth: 'command',
  documented: false,
  request: { body: zTargetBody },
  responses: {
    200: { description: 'The page of the run', body: z.object({ location: z.string() }) },
  },
  errors: ['console_key_missing', 'invalid_request', 'loopback_only', 'run_in_progress'],
  async handle({ body: { plan, name, text, strict, checks } }, { targets, runs, isLoopback }) {
    requireLoopback(isLoopback)
    const target = await targets.save(name, text)
    const pattern = checks && `^(${checks.join('|')})$`
    const request = { kind: 'conformance', plan, subject: name, target, strict, pattern } as const
    const { id } = await runs.start(request)
    return { status: 200, body: { location: `/runs/${id}` } }
  },
})

export const targetRoutes: readonly AnyRoute<ConsoleDependencies>[] = [
  showTarget,
  checkText,
  readSaved,
  removeSaved,
  connect,
  startTargetRun,
]
