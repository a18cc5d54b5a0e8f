import type { Request } from 'express'
import { TestbedError } from '#core/errors/testbed-error.ts'
import type { Dependencies } from '../dependencies.ts'

/**
 * Refuses a form that was not sent by a page of this service: browsers say where they come from.
 *
 * @throws TestbedError `foreign_origin` (403)
 */
export function checkOrigin(request: Request, { config }: Pick<Dependencies, 'config'>): void {
  if (request.get('origin') === new URL(config.baseUrl).origin) return
  throw new TestbedError({
    code: 'foreign_origin',
    status: 403,
    message: `This form has to be sent from the panel itself. Open ${config.baseUrl}/admin/`,
  })
}
