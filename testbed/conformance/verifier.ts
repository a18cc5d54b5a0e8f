import type { OpenPlan, OpenPlanOptions } from '#conformance/kit/plan.ts'
import { openVerifierPlan, verifierCaller } from '#conformance/plans/verifier/open-verifier-plan.ts'
import type { VerifierTarget } from '#conformance/plans/verifier/z-target.ts'
import { openKit } from '#conformance/targets/open-kit.ts'
import { createLog } from '#kit/log.ts'
import { createRuntime } from '#kit/runtime.ts'
import { listen } from '#testbed/process/listen.ts'
import { startVerifierService, type VerifierServiceInWorld } from './start-verifier-service.ts'

/** The plan `verifier` against the testbed's own verifier, with the kit's registries. */
export async function openSelf(options: OpenPlanOptions): Promise<OpenPlan> {
  const kit = await openKit({}, verifierCaller, options)
  const idp = await startVerdictSink()
  const runtime = createRuntime({ log: createLog({ level: 'silent' }) })
  const receiver = { url: idp.url, apiKey: 'any' }
  const verifier = await startVerifierService(kit.trust, receiver, runtime)
  options.exchanges.hide(verifier.apiKey)
  const plan = await openVerifierPlan(createSelfTarget(verifier), options, kit)
  return {
    ...plan,
    async close() {
      await verifier.close()
      await idp.close()
      await plan.close()
    },
  }
}

/**
 * Where the verifier reports its verdicts; the kit reads them as it does from any other verifier.
 */
async function startVerdictSink() {
  const listener = await listen('127.0.0.1', 0, 'an IDP')
  listener.serve((request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  return { url: `http://127.0.0.1:${listener.port}`, close: listener.close }
}

/** Begins a session as an IDP does, and reads its state with the same key. */
function createSelfTarget({ baseUrl, apiKey }: VerifierServiceInWorld): VerifierTarget {
  const headers = { 'x-api-key': apiKey }
  const session = `${baseUrl}/sessions/{session}`
  return {
    plan: 'verifier',
    name: "the testbed's own verifier",
    request: {
      call: {
        url: `${baseUrl}/sessions`,
        headers,
        json: { redirect_uri: 'http://127.0.0.1:9/login' },
      },
      link: '$.authorization_request',
      session: '$.session_id',
    },
    verdict: {
      poll: {
        url: session,
        headers,
        path: '$.status',
        accepted: ['SUCCESS'],
        refused: ['FAILED'],
        pending: ['PENDING'],
        intervalMilliseconds: 50,
      },
      explanation: { call: { url: session, headers }, path: '$.explanation.failures[*].rule' },
      // The verdict is final before the post is answered.
      withinSeconds: 0.001,
    },
  }
}
