import { z } from 'zod'

/** Where the kit's own server listens, which plays the counterparts of the system under test. */
export const zKitOptions = z.strictObject({
  port: z
    .int()
    .min(0)
    .max(65_535)
    .optional()
    .describe(
      'Port of the kit’s server. By default a free one; a fixed one needs configuring once.',
    )
    .meta({ example: '4700' }),
  bind: z
    .string()
    .min(1)
    .optional()
    .describe('Address to listen on. By default 127.0.0.1; for a phone 0.0.0.0.')
    .meta({ example: '0.0.0.0' }),
  publicUrl: z
    .url({ protocol: /^https?$/ })
    .refine((url) => !url.endsWith('/'), 'must not end in a slash')
    .optional()
    .describe('How the system under test reaches the kit, where that is not the bound address.')
    .meta({ example: 'http://192.168.1.20:4700' }),
  seed: z
    .string()
    .min(1)
    .optional()
    .describe('From it follow the DIDs and keys of the kit’s parties; by default the same for all.')
    .meta({ example: 'my-verifier' }),
})

export type KitOptions = z.infer<typeof zKitOptions>
