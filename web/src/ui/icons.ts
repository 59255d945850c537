import {
  Building,
  Circle,
  Contact,
  List,
  type LucideIcon,
  Receipt,
  Shield,
  Upload,
  UserCog,
  Users,
} from 'lucide-react'

// The icons of the resource catalogue, by the names that core gives them.
const icons: Record<string, LucideIcon> = {
  building: Building,
  contact: Contact,
  list: List,
  receipt: Receipt,
  shield: Shield,
  upload: Upload,
  'user-cog': UserCog,
  users: Users,
}

export const iconOf = (name: string): LucideIcon => icons[name] ?? Circle
