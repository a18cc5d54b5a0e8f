import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import type { ControlDependencies } from '../dependencies.ts'

export const createConsoleLink = defineRoute<ControlDependencies>()({
  method: 'post',
  path: '/control/console-links',
  summary: 'An address that opens the console once',
  auth: 'control',
  responses: { 200: { description: 'The address', body: z.object({ url: z.string() }) } },
  handle: (_input, { sessions }) => ({ status: 200, body: { url: sessions.createLink() } }),
})
