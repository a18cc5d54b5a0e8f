import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import { isFaultName } from '#testbed/process/faults.ts'
import { type ControlDependencies, findEnvironment } from '../dependencies.ts'
import { unknownFault } from '../errors.ts'

const zParams = z.object({ env: z.string(), name: z.string() })
const zFault = z.object({ name: z.string(), active: z.boolean() })

function findFault(dependencies: ControlDependencies, { env, name }: z.infer<typeof zParams>) {
  const { faults } = findEnvironment(dependencies, env).context.runtime
  if (isFaultName(name)) return { faults, name }
  throw unknownFault(name)
}

function faultRoute(method: 'get' | 'put' | 'delete', summary: string, change?: boolean) {
  return defineRoute<ControlDependencies>()({
    method,
    path: '/control/:env/faults/:name',
    summary,
    auth: 'control',
    request: { params: zParams },
    responses: { 200: { description: 'The current state of the fault', body: zFault } },
    errors: ['unknown_environment', 'unknown_fault'],
    async handle({ params }, dependencies) {
      const { faults, name } = findFault(dependencies, params)
      if (change !== undefined) await faults.set(name, change)
      return { status: 200, body: { name, active: faults.isActive(name) } }
    },
  })
}

export const readFault = faultRoute('get', 'Get the state of a fault')
export const startFault = faultRoute('put', 'Switch a fault on', true)
export const endFault = faultRoute('delete', 'Switch a fault off', false)

export const listFaults = defineRoute<ControlDependencies>()({
  method: 'get',
  path: '/control/:env/faults',
  summary: 'List all faults, and whether each is on',
  auth: 'control',
  request: { params: z.object({ env: z.string() }) },
  responses: {
    200: { description: 'The faults', body: z.object({ faults: z.array(zFault) }) },
  },
  errors: ['unknown_environment'],
  handle({ params }, dependencies) {
    const { faults } = findEnvironment(dependencies, params.env).context.runtime
    return { status: 200, body: { faults: faults.list() } }
  },
})
