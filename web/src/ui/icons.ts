import {
  Boxes,
  Building,
  Circle,
  Contact,
  List,
  type LucideIcon,
  ReceiptText,
  Shield,
  Upload,
  UserCog,
  UserRound,
  Users,
} from 'lucide-react'

// The icons of the resource catalogue, by the names that core gives them, and of the other links of the navigation.
const icons: Record<string, LucideIcon> = {
  boxes: Boxes,
  building: Building,
  contact: Contact,
  list: List,
  receipt: ReceiptText,
  shield: Shield,
  upload: Upload,
  'user-cog': UserCog,
  'user-round': UserRound,
  users: Users,
}

export const iconOf = (name: string): LucideIcon => icons[name] ?? Circle
