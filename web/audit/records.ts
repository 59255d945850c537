import { answer, fill, held, open, openRow, opens, openWaiting, press, refused, sees, state } from './steps'

const [dashboard, customers, invoices, contacts] = [
  '/dashboard',
  '/dashboard/customers',
  '/dashboard/invoices',
  '/dashboard/contacts',
]

/** The screens of an administrator of a corporation with many records. */
export const recordStates = [
  state('Dashboard', open(dashboard)),
  state('Dashboard, loading', held(/\/api\/dashboard/), openWaiting(dashboard)),
  state('Dashboard, failed', refused(/\/api\/dashboard/), open(dashboard), sees('Try Again')),
  state('Dashboard, as tables', open(dashboard), press(/^Show as table/), press(/^Show as table/)),

  state('Customers', open(customers)),
  state('Customers, loading', held(/\/api\/customers\?/), openWaiting(customers)),
  state('Customers, failed', refused(/\/api\/customers\?/), open(customers), sees('Try Again')),
  state('Customers, nothing found', open(`${customers}?search=nobody-has-this-name`)),
  state('Customers, past the last page', open(`${customers}?page=99`), sees('This page is empty')),
  state('Customers, a row open', open(customers), openRow),
  state(
    'Customers, a row open, loading',
    held(/\/api\/customers\/[^/?]+$/),
    open(`${customers}?type=Private`),
    openRow,
  ),
  state(
    'Customers, a row open, failed',
    refused(/\/api\/customers\/[^/?]+$/),
    open(`${customers}?type=Private`),
    openRow,
    sees('Try Again'),
  ),
  state('Customers, filter', open(customers), press(/^Filter/), opens()),
  state('Customers, new', open(customers), press('New Customer'), opens()),
  state(
    'Customers, new, with errors',
    open(customers),
    press('New Customer'),
    answer('Create customer'),
    sees('Social security number is required.'),
  ),
  state('Customers, edit', open(customers), openRow, press(/^Edit/), opens()),
  state('Customers, delete', open(customers), openRow, press(/^Delete/), opens()),

  state('Invoices', open(invoices)),
  state('Invoices, loading', held(/\/api\/invoices\?/), openWaiting(invoices)),
  state('Invoices, failed', refused(/\/api\/invoices\?/), open(invoices), sees('Try Again')),
  state('Invoices, nothing found', open(`${invoices}?search=nobody-has-this-name`)),
  state('Invoice', open(invoices), press(/^View invoice for/, 'link'), opens(), sees('Invoice Overview')),
  state(
    'Invoice, failed',
    refused(/\/api\/invoices\/[^/?]+$/),
    open(invoices),
    press(/^View invoice for/, 'link'),
    sees('Try Again'),
  ),
  state('Invoices, new', open(invoices), press('Create New Invoice'), opens()),
  state('Invoices, new, with errors', open(invoices), press('Create New Invoice'), answer('Create invoice')),
  state('Invoices, edit', open(invoices), press(/^Edit invoice/), opens()),
  state('Invoices, delete', open(invoices), press(/^Delete invoice/), opens()),

  state('Contacts', open(contacts)),
  state('Contacts, loading', held(/\/api\/contacts\?/), openWaiting(contacts)),
  state('Contacts, failed', refused(/\/api\/contacts\?/), open(contacts), sees('Try Again')),
  state('Contacts, nothing found', open(`${contacts}?search=nobody-has-this-name`)),
  state('Contacts, new', open(contacts), press('+ Add New Contact'), opens()),
  state(
    'Contacts, new, with errors',
    open(contacts),
    press('+ Add New Contact'),
    fill('Email', 'broken'),
    answer('Create contact'),
  ),
  state('Contacts, delete', open(contacts), press(/^Delete/), opens()),
  state('Contact', open(contacts), press(/^View details of/, 'link'), sees('System Information')),
  state(
    'Contact, loading',
    held(/\/api\/contacts\/[^/?]+$/),
    openWaiting(`${contacts}/00000000-0000-4000-8000-000000000000`),
  ),
  state('Contact, unknown', open(`${contacts}/00000000-0000-4000-8000-000000000000`)),
  state(
    'Contact, edit',
    open(contacts),
    press(/^View details of/, 'link'),
    sees('System Information'),
    press('Edit'),
    opens(),
  ),
]

/** The screens of a clerk with few permissions. */
export const clerkStates = [
  state('Dashboard, of a clerk', open(dashboard)),
  state('Customers, of a clerk', open(customers)),
  state('Contacts, of a clerk', open(contacts)),
  state('Contact, of a clerk', open(contacts), press(/^View details of/, 'link'), sees('System Information')),
  state('Imports, closed to a clerk', open('/dashboard/contacts/imports')),
  state('Users, closed to a clerk', open('/dashboard/users'), sees("Your role doesn't include")),
  state('Settings, of a clerk', open('/dashboard/profile')),
  state('Profile menu, of a clerk', open(dashboard), press(/^Profile menu/), opens('menu')),
]
