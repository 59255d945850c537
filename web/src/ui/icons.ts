import {
  Boxes,
  Building,
  Car,
  Circle,
  Coins,
  Contact,
  Fingerprint,
  Handshake,
  History,
  List,
  type LucideIcon,
  ReceiptText,
  Shield,
  Trash2,
  Upload,
  UserCog,
  UserRound,
  Users,
} from 'lucide-react'

// Icons by the names that core's list of resources, and the other navigation links, use.
const icons: Record<string, LucideIcon> = {
  boxes: Boxes,
  building: Building,
  car: Car,
  coins: Coins,
  contact: Contact,
  fingerprint: Fingerprint,
  handshake: Handshake,
  history: History,
  list: List,
  receipt: ReceiptText,
  shield: Shield,
  'trash-2': Trash2,
  upload: Upload,
  'user-cog': UserCog,
  'user-round': UserRound,
  users: Users,
}

export const iconOf = (name: string): LucideIcon => icons[name] ?? Circle
