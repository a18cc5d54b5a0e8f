import { z } from 'zod'

/**
 * A text that no report may show. In the file it stands as `$NAME`, or with it inside, and is taken
 * from the environment variable NAME; `$$` is a dollar.
 */
export const zSecret = z.string().min(1).meta({ secret: true })

/** Headers of a request that the kit sends; a value may name environment variables as secrets do. */
export const zHeaders = z.record(z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/), z.string()).meta({
  variables: true,
})
