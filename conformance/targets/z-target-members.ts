import { z } from 'zod'
import type { PlanName } from '../kit/check.ts'
import { zKitOptions } from './z-kit-options.ts'
import { zStartCommand } from './z-start-command.ts'

/** The members that the target of every plan has. */
export const targetMembers = <Plan extends PlanName>(plan: Plan) => ({
  plan: z.literal(plan).describe('Which plan it is a target of.').meta({ example: plan }),
  name: z
    .string()
    .min(1)
    .max(100)
    .describe('Name of the system under test, for reports.')
    .meta({ example: `My ${plan}` }),
  description: z.string().optional().describe('What reports tell of it besides.').meta({
    example: 'Version 1.2',
  }),
  kit: zKitOptions
    .optional()
    .describe('Where the kit’s own server listens, in the plans in which it has one.'),
  start: zStartCommand
    .optional()
    .describe('A command that runs as long as the plan does: the system under test itself.'),
})
