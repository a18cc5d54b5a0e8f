import type { Request, Response } from 'express'
import type { Reply } from '#kit/define-route.ts'
import type { Dependencies } from '../dependencies.ts'

/** Lets oidc-provider answer a request whose body has not been read; what comes back is ignored. */
export async function delegate(
  request: Request,
  response: Response,
  { providers }: Dependencies,
): Promise<Reply> {
  const { provider } = await providers.readCurrent()
  await provider.callback()(request, response)
  return { status: response.statusCode }
}
