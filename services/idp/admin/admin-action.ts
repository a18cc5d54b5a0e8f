import type { Request } from 'express'
import { z } from 'zod'
import type { Reply } from '#kit/define-route.ts'
import type { Dependencies } from '../dependencies.ts'
import type { AdminSession } from './find-admin-session.ts'

export interface AdminInput {
  readonly session: AdminSession
  /** Parameters of the path. */
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  readonly request: Request
}

export interface AdminFormInput extends AdminInput {
  readonly fields: Readonly<Record<string, string | undefined>>
}

/** A page, or what a form does, as it is defined. */
export interface AdminAction<Input> {
  readonly path: string
  readonly summary: string
  readonly documented?: boolean
  handle(input: Input, dependencies: Dependencies): Promise<Reply> | Reply
}

/** Parameters of a path. */
export const zAdminParams = z.record(z.string(), z.string())

/** What every route of the panel answers. */
export const adminResponses = {
  200: { description: 'The page', contentType: 'text/html' },
  303: { description: 'On to another page, or to the login' },
}
