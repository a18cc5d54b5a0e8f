import type { RequestHandler } from 'express'
import { TestbedError } from '#core/errors/testbed-error.ts'

/**
 * Refuses requests that come by another name than the console's own addresses (a web page whose
 * name was pointed here), or from a page of another origin. `allowed` are hosts with port.
 */
export function checkOrigin(allowed: ReadonlySet<string>): RequestHandler {
  return function checkHostAndOrigin(request, _response, next) {
    const host = request.headers.host?.toLowerCase() ?? ''
    const { origin } = request.headers
    const hostOfOrigin = origin !== undefined && URL.canParse(origin) ? new URL(origin).host : ''
    if (allowed.has(host) && (origin === undefined || allowed.has(hostOfOrigin))) return next()
    next(
      new TestbedError({
        code: 'foreign_origin',
        status: 403,
        message: 'This address is for this machine alone: wrong Host or Origin.',
      }),
    )
  }
}
