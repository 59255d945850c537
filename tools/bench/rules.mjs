// The rules of core for the fields of a contact, in JavaScript, so that the jobs with other libraries do the
// same checks and return the same counts. Left out, because no row of the benchmark's files breaks them, are
// the rule for websites, and the limits on the number of values and on the number and the total length of
// other details. The app does not contain this file.

/** The fields of a contact: their headers in the benchmark's files, and their maximum lengths. */
const FIELDS = [
  ['Namn', 200],
  ['E-post', Number.POSITIVE_INFINITY],
  ['Telefon', 100],
  ['Hemsida', 2_000],
  ['Adress', 1_000],
]
const DETAIL_MAX = 32_767
const EMAIL = /^[A-Za-z0-9._%+-]+@(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z]{2,}$/

/** Checks the rows of a file, the header row first, and counts the results. */
export class Check {
  total = 0
  ready = 0
  failed = 0
  duplicates = 0
  #columns
  #keys = new Set()

  /** Checks a row as a library returns it: an array of texts, with null or undefined for empty cells. */
  row(cells) {
    if (!this.#columns) {
      this.#columns = FIELDS.map(([header]) => cells.indexOf(header))
      return
    }
    if (cells.every(cell => cell === undefined || cell === null || String(cell).trim() === '')) return
    this.total++
    let isValid = true
    const fields = FIELDS.map(([, maximum], index) => {
      const text = String(cells[this.#columns[index]] ?? '').trim()
      if (text.length > maximum) isValid = false
      return text
    })
    for (const cell of cells) if (cell?.length > DETAIL_MAX) isValid = false
    const [name, email, phone] = fields
    const isEmailValid = email === '' || (email.length <= 254 && EMAIL.test(email))
    if (!isValid || name === '' || !isEmailValid) {
      this.failed++
      return
    }
    this.ready++
    const key = email ? email.toLowerCase() : `${name.toLowerCase()}\n${phone.replace(/\D/g, '')}`
    if (this.#keys.has(key)) this.duplicates++
    else this.#keys.add(key)
  }

  get counts() {
    const { total, ready, failed, duplicates } = this
    return { total, ready, failed, duplicates }
  }
}
