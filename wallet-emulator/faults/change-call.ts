import type { Call, Change, FaultContext, SendCall } from './wallet-fault.ts'

/** Changes a request on the wire; `members` lists what changes, for example `method`. */
export function changeCall(
  members: readonly string[],
  change: (call: Call) => Call,
): Change<SendCall> {
  return { members, apply: (send) => (call) => send(change(call)) }
}

/** Sets headers, or removes them with `undefined`. Names are in lower case. */
export function setHeaders(
  changes: Readonly<Record<string, string | undefined>>,
): Change<SendCall> {
  return changeCall(Object.keys(changes), (call) => ({
    ...call,
    headers: Object.fromEntries(
      Object.entries({ ...call.headers, ...changes }).filter(
        (header): header is [string, string] => header[1] !== undefined,
      ),
    ),
  }))
}

/** Changes the body and, if given, its content type. */
export function setBody(change: (body: string) => string, contentType?: string): Change<SendCall> {
  const members = contentType === undefined ? ['body'] : ['body', 'content-type']
  return changeCall(members, (call) => ({
    ...call,
    headers: { ...call.headers, ...(contentType ? { 'content-type': contentType } : {}) },
    body: change(call.body ?? ''),
  }))
}

/** Sends the form of a body as JSON. */
export const formAsJson = setBody(
  (body) => JSON.stringify(Object.fromEntries(new URLSearchParams(body))),
  'application/json',
)

/**
 * Repeats the request while the response is a success, at most `times`, so that an issuer has time
 * to record the first one. The wallet continues with the last response.
 */
export function sendAgain(times = 1): Change<SendCall> {
  return {
    members: ['times'],
    apply: (send) => async (call) => {
      let last = await send(call)
      for (let round = 0; round < times && last.status === 200; round++) last = await send(call)
      return last
    },
  }
}

/** Sends other requests first and ignores their responses. */
export function sendBefore(calls: (call: Call) => readonly Call[]): Change<SendCall> {
  return {
    members: ['before'],
    apply: (send) => async (call) => {
      for (const earlier of calls(call)) await send(earlier)
      return send(call)
    },
  }
}

/**
 * The lifetime of access token and c_nonce in the profile's sample, for issuers that do not set it.
 */
export const sampleLifetimeSeconds = 86_400

/** Delays the request by a number of seconds. */
export function sendLate(seconds: (context: FaultContext) => number): Change<SendCall> {
  return {
    members: ['time'],
    apply: (send, context) => async (call) => {
      await context.wait(seconds(context) * 1000)
      return send(call)
    },
  }
}
