/** A scenario's id as the id of an element and as part of a file's name. */
export const slugOf = (id: string): string => id.replace(/[^A-Za-z0-9]+/g, '-')
