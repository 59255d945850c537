// What core's rules say of a contact, once more in JavaScript, for the libraries that stand beside it: the same work, and
// the same counts in the end. Nothing of this ships.

/** The fields of a contact by the headers that the files of this benchmark have, and their longest texts. */
const FIELDS = [
  ['Namn', 200],
  ['E-post', Number.POSITIVE_INFINITY],
  ['Telefon', 100],
  ['Hemsida', 2_000],
  ['Adress', 1_000],
]
const DETAIL = 32_767
const EMAIL = /^[A-Za-z0-9._%+-]+@(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z]{2,}$/

/** Checks rows one after the other, the header first, and keeps count. */
export class Check {
  total = 0
  ready = 0
  failed = 0
  duplicates = 0
  #places
  #seen = new Set()

  /** A row as the library gives it: texts, with nothing where a cell is empty. */
  row(cells) {
    if (!this.#places) {
      this.#places = FIELDS.map(([header]) => cells.indexOf(header))
      return
    }
    if (cells.every(cell => cell === undefined || cell === null || String(cell).trim() === '')) return
    this.total++
    let fits = true
    const fields = FIELDS.map(([, longest], index) => {
      const text = String(cells[this.#places[index]] ?? '').trim()
      if (text.length > longest) fits = false
      return text
    })
    for (const cell of cells) if (cell?.length > DETAIL) fits = false
    const [name, email, phone] = fields
    const isWritable = email === '' || (email.length <= 254 && EMAIL.test(email))
    if (!fits || name === '' || !isWritable) {
      this.failed++
      return
    }
    this.ready++
    const who = email ? email.toLowerCase() : `${name.toLowerCase()}\n${phone.replace(/\D/g, '')}`
    if (this.#seen.has(who)) this.duplicates++
    else this.#seen.add(who)
  }

  get counts() {
    const { total, ready, failed, duplicates } = this
    return { total, ready, failed, duplicates }
  }
}
