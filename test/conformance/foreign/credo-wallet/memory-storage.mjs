import { RecordNotFoundError } from '@credo-ts/core'

/**
 * Keeps Credo's records while the process lives. Glue: its storage engines require native
 * parts.
 */
export class MemoryStorage {
  supportsCursorPagination = false
  #records = new Map()

  async save(_context, record) {
    record.updatedAt = new Date()
    this.#records.set(record.id, record)
  }

  async update(context, record) {
    this.#find(record.constructor, record.id)
    await this.save(context, record)
  }

  async delete(_context, record) {
    this.#find(record.constructor, record.id)
    this.#records.delete(record.id)
  }

  async deleteById(_context, recordClass, id) {
    this.#find(recordClass, id)
    this.#records.delete(id)
  }

  async getById(_context, recordClass, id) {
    return this.#find(recordClass, id).clone()
  }

  async getAll(_context, recordClass) {
    const all = [...this.#records.values()].filter(({ type }) => type === recordClass.type)
    return all.map((record) => record.clone())
  }

  async findByQuery(context, recordClass, query) {
    const all = await this.getAll(context, recordClass)
    return all.filter((record) => matches(record.getTags(), query))
  }

  #find(recordClass, id) {
    const record = this.#records.get(id)
    if (record?.type === recordClass.type) return record
    throw new RecordNotFoundError(`no record ${id}`, { recordType: recordClass.type })
  }
}

function matches(tags, { $and = [], $or, $not = [], ...wanted }) {
  const has = ([name, value]) =>
    Array.isArray(value)
      ? value.every((one) => tags[name]?.includes(one))
      : value === undefined || tags[name] === value
  return (
    Object.entries(wanted).every(has) &&
    $and.every((query) => matches(tags, query)) &&
    ($or?.some((query) => matches(tags, query)) ?? true) &&
    !$not.some((query) => matches(tags, query))
  )
}
