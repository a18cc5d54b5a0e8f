import type { Call, Change, FaultContext, SendCall } from './wallet-fault.ts'

/** A deviation of a request on the wire: `members` says of what, for example `method`. */
export function changeCall(
  members: readonly string[],
  change: (call: Call) => Call,
): Change<SendCall> {
  return { members, apply: (send) => (call) => send(change(call)) }
}

/** A deviation that sets headers, or leaves them out by `undefined`. Names are in small letters. */
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

/** Another body, of the content type that is given, if one is. */
export function setBody(change: (body: string) => string, contentType?: string): Change<SendCall> {
  const members = contentType === undefined ? ['body'] : ['body', 'content-type']
  return changeCall(members, (call) => ({
    ...call,
    headers: { ...call.headers, ...(contentType ? { 'content-type': contentType } : {}) },
    body: change(call.body ?? ''),
  }))
}

/** The form of a body as JSON. */
export const formAsJson = setBody(
  (body) => JSON.stringify(Object.fromEntries(new URLSearchParams(body))),
  'application/json',
)

/**
 * The same request again once it was answered, and the wallet goes on with the last answer: as long
 * as it is a success, so that an issuer has the time to note what it handed out, and at most `times`.
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

/** Another request first, whose answer is not looked at. */
export function sendBefore(calls: (call: Call) => readonly Call[]): Change<SendCall> {
  return {
    members: ['before'],
    apply: (send) => async (call) => {
      for (const earlier of calls(call)) await send(earlier)
      return send(call)
    },
  }
}

/** The lifetime of access token and c_nonce in the profile's sample, for issuers that name none. */
export const sampleLifetimeSeconds = 86_400

/** The request goes out so many seconds late. */
export function sendLate(seconds: (context: FaultContext) => number): Change<SendCall> {
  return {
    members: ['time'],
    apply: (send, context) => async (call) => {
      await context.wait(seconds(context) * 1000)
      return send(call)
    },
  }
}
